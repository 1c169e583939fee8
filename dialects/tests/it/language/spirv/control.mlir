// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// except: part 7: mlir-opt prints controls of several flags that it does not read
// Branches and structured control flow.

func.func @branches(%c: i1, %s: i32, %x: f32) {
  spirv.Branch ^a(%s : i32)
^a(%y: i32):
  spirv.BranchConditional %c [5, 10], ^b(%s : i32), ^d
^b(%z: i32):
  spirv.Switch %s : i32, [
    default: ^d,
    0: ^b(%z : i32),
    -1: ^a(%s : i32)
  ]
^d:
  spirv.Switch %s : i32, [
    default: ^e(%x : f32)
  ] {test.mark}
^e(%f: f32):
  spirv.Return
^f:
  spirv.Unreachable
}

// -----

func.func @selections(%c: i1) {
  spirv.mlir.selection {
    spirv.BranchConditional %c, ^then, ^merge
  ^then:
    spirv.Branch ^merge
  ^merge:
    spirv.mlir.merge
  }
  %r:2 = spirv.mlir.selection control(Flatten) -> i32, i1 {
    %0 = spirv.Constant 1 : i32
    spirv.BranchConditional %c, ^then, ^merge(%0, %c : i32, i1)
  ^then:
    spirv.Branch ^merge(%0, %c : i32, i1)
  ^merge(%a: i32, %b: i1):
    spirv.mlir.merge %a, %b : i32, i1
  }
  spirv.mlir.selection {
  }
  spirv.Return
}

// -----

func.func @loops(%c: i1, %n: i32) {
  %r = spirv.mlir.loop control(Unroll) -> i32 {
    spirv.Branch ^header(%n : i32)
  ^header(%i: i32):
    spirv.BranchConditional %c, ^body, ^merge(%i : i32)
  ^body:
    spirv.Branch ^continue
  ^continue:
    spirv.Branch ^header(%n : i32)
  ^merge(%a: i32):
    spirv.mlir.merge %a : i32
  }
  spirv.mlir.loop {
  }
  spirv.Return
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @callee(%a: i32, %b: f32) -> f32 "None" {
    spirv.ReturnValue %b : f32
  }
  spirv.func @silent() "None" {
    spirv.Return
  }
  spirv.func @stops() "None" {
    spirv.Kill
  }
  spirv.func @caller(%a: i32, %b: f32) -> f32 "None" {
    %0 = spirv.FunctionCall @callee(%a, %b) : (i32, f32) -> f32
    spirv.FunctionCall @silent() {test.mark} : () -> ()
    spirv.ReturnValue %0 : f32
  }
}

// -----

func.func @mesh(%x: i32, %p: !spirv.ptr<f32, TaskPayloadWorkgroupEXT>) {
  spirv.EXT.SetMeshOutputs %x, %x : i32, i32
  spirv.EmitVertex
  spirv.EndPrimitive {test.mark}
  spirv.EXT.EmitMeshTasks %x, %x, %x : i32, i32, i32
}

// -----

func.func @payload(%x: i32, %p: !spirv.ptr<f32, TaskPayloadWorkgroupEXT>) {
  spirv.EXT.EmitMeshTasks %x, %x, %x, %p : i32, i32, i32, !spirv.ptr<f32, TaskPayloadWorkgroupEXT>
}
// -----
func.func @two_words() {
  "spirv.mlir.loop"() <{loop_control = #spirv.loop_control<Unroll|DependencyInfinite>}> ({}) : () -> ()
  "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<Flatten|DontFlatten>}> ({}) : () -> ()
  return
}
