"a.late"() : () -> () loc(#late)
  #late = loc("indented")
// -----
#early = loc("early")
"a.nested"() {a = loc(#early)} : () -> () loc(callsite(#early at fused<#early>["x", #early]))
"a.nameless"() : () -> () loc("":1:2)
