// test: canonical
func.func @compared() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xindex>) {
  %s = vector.step : vector<4xindex>
  %c = arith.constant dense<4> : vector<4xindex>
  %c2 = arith.constant dense<2> : vector<4xindex>
  %0 = arith.cmpi ult, %s, %c : vector<4xindex>
  %1 = arith.cmpi ult, %s, %c2 : vector<4xindex>
  %2 = arith.cmpi uge, %s, %c : vector<4xindex>
  return %0, %1, %2, %s : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xindex>
}

func.func @compared_otherwise() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %s = vector.step : vector<4xindex>
  %c = arith.constant dense<0> : vector<4xindex>
  %3 = arith.constant dense<3> : vector<4xindex>
  %7 = arith.constant dense<7> : vector<4xindex>
  %a = arith.cmpi ult, %s, %c : vector<4xindex>
  %b = arith.cmpi ule, %s, %3 : vector<4xindex>
  %d = arith.cmpi ugt, %s, %3 : vector<4xindex>
  %e = arith.cmpi slt, %s, %7 : vector<4xindex>
  %f = arith.cmpi eq, %s, %7 : vector<4xindex>
  %g = arith.cmpi ne, %s, %7 : vector<4xindex>
  %h = arith.cmpi uge, %s, %c : vector<4xindex>
  return %a, %b, %d, %e, %f, %g, %h : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}
