// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Resource sections that are cut short.

// expected-error@+1 {{expected identifier key in file metadata dictionary}}
{-# 1

// -----

// expected-error@+1 {{unknown key 'foo' in file metadata dictionary}}
{-# foo: {} #-}

// -----

// expected-error@+1 {{expected ':'}}
{-# dialect_resources #-}

// -----

// expected-error@+1 {{expected '{'}}
{-# dialect_resources: #-}

// -----

// expected-error@+1 {{expected ':'}}
{-# dialect_resources: { builtin } #-}

// -----

// expected-error@+1 {{expected '{'}}
{-# dialect_resources: { builtin: } #-}

// -----

// expected-error@+1 {{expected ':'}}
{-# dialect_resources: { builtin: { a } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: 1 } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: "x" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'a' to encode alignment in first 4 bytes}}
{-# dialect_resources: { builtin: { a: "0x00" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'a' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3}}
{-# dialect_resources: { builtin: { a: "0x03000000" } } #-}

// -----

// expected-error@+1 {{expected ':'}}
{-# external_resources: { foo { a: "x" } } #-}

// -----

// A key is missed where it should stand.
{-# dialect_resources: { builtin: { a: "0x04000000FF",
  // expected-error@+1 {{expected identifier key for 'resource' entry}}
  4: 4 } } #-}

// -----

{-#
  // expected-error@+1 {{expected identifier key in file metadata dictionary}}
  4: 4 #-}

// -----

{-# dialect_resources: {
  // expected-error@+1 {{expected identifier key for 'resource' entry}}
  4: 4 } #-}
