// An attribute of gridloom's own on what it says nothing of.
//
// test: error
// error: 9:1: 'gridloom.inbounds', which belongs on an access of an element or vector
// error: 10:9: 'gridloom.effects', which belongs on 'func.func'
// error: 11:3: 'gridloom.overlapping', which belongs on 'func.call'
// error: 12:3: 'gridloom.parallel', which does not exist
// error: 13:5: 'gridloom.inbounds' must be a unit attribute
func.func @f(%a: memref<4xi32>, %x: i32) attributes {gridloom.inbounds} {
  %c0 = arith.constant {gridloom.effects = {}} 0 : index
  memref.store %x, %a[%c0] {gridloom.overlapping} : memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.store %x, %a[%i] {gridloom.inbounds = 3 : i32} : memref<4xi32>
  } {gridloom.parallel}
  return
}
