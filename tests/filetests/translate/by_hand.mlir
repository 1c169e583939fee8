// test: translate
// A module as people write it: specialization constants, a built-in variable, a call, a switch whose cases pass values,
// a loop with two exits, an array constant, decorations of results, float controls.
spirv.module @by_hand Logical GLSL450 requires #spirv.vce<v1.3, [Shader, SignedZeroInfNanPreserve], [SPV_KHR_float_controls]> {
  spirv.SpecConstant @scale spec_id(3) = 2 : i32
  spirv.SpecConstant @other = 5 : i32
  spirv.SpecConstantComposite @pair (@scale, @other) : !spirv.array<2 x i32>
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @data bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0]), Block>, StorageBuffer>
  spirv.GlobalVariable @tile : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
  spirv.func @twice(%x: i32) -> i32 "Inline|Pure" {
    %two = spirv.mlir.referenceof @scale : i32
    %y = spirv.IMul %x, %two : i32
    spirv.ReturnValue %y : i32
  }
  spirv.func @main() "None" {
    %table = spirv.Constant [1 : i32, 7 : i32, 3 : i32] : !spirv.array<3 x i32>
    %c0 = spirv.Constant 0 : i32
    %c1 = spirv.Constant 1 : i32
    %c9 = spirv.Constant 9 : i32
    %half = spirv.Constant 0.5 : f32
    %halves = spirv.Constant dense<0.5> : vector<2xf32>
    %id = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    %ids = spirv.Load "Input" %id : vector<3xi32>
    %i = spirv.CompositeExtract %ids[0 : i32] : vector<3xi32>
    %called = spirv.FunctionCall @twice(%i) : (i32) -> i32
    %second = spirv.CompositeExtract %table[1 : i32] : !spirv.array<3 x i32>
    %chosen = spirv.mlir.selection -> i32 {
      spirv.Switch %i : i32, [
        default: ^merge(%called : i32),
        0: ^zero,
        4294967295: ^least(%second : i32)
      ]
    ^zero:
      spirv.Branch ^least(%c9 : i32)
    ^least(%x: i32):
      %y = spirv.IAdd %x, %c1 : i32
      spirv.Branch ^merge(%y : i32)
    ^merge(%m: i32):
      spirv.mlir.merge %m : i32
    }
    %sum = spirv.mlir.loop control(DontUnroll) -> i32 {
      spirv.Branch ^header(%c0, %chosen : i32, i32)
    ^header(%k: i32, %s: i32):
      %more = spirv.SLessThan %k, %c9 : i32
      spirv.BranchConditional %more, ^body, ^merge
    ^body:
      %odd = spirv.BitwiseAnd %s, %c1 : i32
      %is_odd = spirv.IEqual %odd, %c1 : i32
      %added = spirv.mlir.selection -> i32 {
        spirv.BranchConditional %is_odd [1, 3], ^then, ^merge(%k : i32)
      ^then:
        %n = spirv.IMul %k, %second : i32
        spirv.Branch ^merge(%n : i32)
      ^merge(%a: i32):
        spirv.mlir.merge %a : i32
      }
      %next = spirv.IAdd %s, %added : i32
      %large = spirv.SGreaterThan %next, %c9 : i32
      spirv.BranchConditional %large, ^merge, ^continue(%next : i32)
    ^continue(%go: i32):
      %k1 = spirv.IAdd %k, %c1 : i32
      spirv.Branch ^header(%k1, %go : i32, i32)
    ^merge:
      spirv.mlir.merge %s : i32
    }
    %f = spirv.ConvertSToF %sum : i32 to f32
    %g = spirv.FMul %f, %half {no_contraction} : f32
    %v = spirv.CompositeConstruct %g, %f : (f32, f32) -> vector<2xf32>
    %w = spirv.GL.FMix %v : vector<2xf32>, %halves : vector<2xf32>, %halves : vector<2xf32> -> vector<2xf32>
    %e = spirv.CompositeExtract %w[1 : i32] : vector<2xf32>
    %tile = spirv.mlir.addressof @tile : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
    %slot = spirv.AccessChain %tile[%c1] : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>, i32 -> !spirv.ptr<f32, Workgroup>
    spirv.Store "Workgroup" %slot, %e ["Volatile"] : f32
    spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory>
    %local = spirv.Variable init(%c9) : !spirv.ptr<i32, Function>
    %l = spirv.Load "Function" %local ["Aligned", 4] : i32
    %data = spirv.mlir.addressof @data : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0]), Block>, StorageBuffer>
    %at = spirv.AccessChain %data[%c0, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0]), Block>, StorageBuffer>, i32, i32 -> !spirv.ptr<i32, StorageBuffer>
    %old = spirv.AtomicIAdd <Device> <None> %at, %l : !spirv.ptr<i32, StorageBuffer>
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @main, @id
  spirv.ExecutionMode @main "LocalSize", 4, 1, 1
  spirv.ExecutionMode @main "SignedZeroInfNanPreserve", 32
}
