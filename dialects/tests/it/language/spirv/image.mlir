// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Operations on images.

!image = !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>
!storage = !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Unknown>
!depth = !spirv.image<f32, Dim2D, IsDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>
func.func @i(%0: !storage, %1: vector<2xsi32>, %s: !spirv.sampled_image<!image>, %c: vector<2xf32>, %f: f32, %im: !image, %t: vector<4xf32>, %c3: vector<3xf32>, %sd:  !spirv.sampled_image<!depth>) {
  %a = spirv.ImageRead %0, %1 : !storage, vector<2xsi32> -> vector<4xf32>
  %b = spirv.ImageQuerySize %0 : !storage -> vector<2xi32>
  %d = spirv.ImageDrefGather %s, %c, %f : !spirv.sampled_image<!image>, vector<2xf32>, f32 -> vector<4xf32>
  %e = spirv.ImageDrefGather %s, %c, %f ["NonPrivateTexel"] : !spirv.sampled_image<!image>, vector<2xf32>, f32 -> vector<4xf32>
  %g = spirv.Image %s : !spirv.sampled_image<!image>
  %h = spirv.ImageFetch %im, %1 : !image, vector<2xsi32> -> vector<4xf32>
  %i = spirv.ImageSampleExplicitLod %s, %c ["Lod"], %f : !spirv.sampled_image<!image>, vector<2xf32>, f32 -> vector<4xf32>
  %j = spirv.ImageSampleImplicitLod %s, %c : !spirv.sampled_image<!image>, vector<2xf32> -> vector<4xf32>
  %k = spirv.ImageSampleProjDrefImplicitLod %sd, %c3, %f : !spirv.sampled_image<!depth>, vector<3xf32>, f32 -> f32
  spirv.ImageWrite %0, %1, %t : !storage, vector<2xsi32>, vector<4xf32>
  %l = spirv.ImageSampleExplicitLod %s, %c ["Grad"], %c, %c : !spirv.sampled_image<!image>, vector<2xf32>, vector<2xf32>, vector<2xf32> -> vector<4xf32>
  %m = spirv.ImageSampleImplicitLod %s, %c ["Bias"], %f {test.mark} : !spirv.sampled_image<!image>, vector<2xf32>, f32 -> vector<4xf32>
  %n = spirv.ImageSampleProjDrefImplicitLod %sd, %c3, %f ["Bias"], %f : !spirv.sampled_image<!depth>, vector<3xf32>, f32, f32 -> f32
  return
}
