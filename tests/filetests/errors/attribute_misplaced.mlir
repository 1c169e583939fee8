// An attribute of gridloom's own on what it says nothing of.
//
// test: error
// error: 10:1: 'gridloom.inbounds', which belongs on an access of an element or vector
// error: 11:9: 'gridloom.effects', which belongs on 'func.func'
// error: 12:3: 'gridloom.overlapping', which belongs on 'func.call'
// error: 13:3: 'gridloom.parallel', which does not exist
// error: 14:5: 'gridloom.inbounds' must be a unit attribute, or an 'array<i1: …>' with a value for each index
// error: 15:5: 'gridloom.inbounds' must be a unit attribute, or an 'array<i1: …>' with a value for each index
func.func @f(%a: memref<4xi32>, %x: i32) attributes {gridloom.inbounds} {
  %c0 = arith.constant {gridloom.effects = {}} 0 : index
  memref.store %x, %a[%c0] {gridloom.overlapping} : memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.store %x, %a[%i] {gridloom.inbounds = 3 : i32} : memref<4xi32>
    affine.store %x, %a[%i] {gridloom.inbounds = array<i1: true, false>} : memref<4xi32>
  } {gridloom.parallel}
  return
}
