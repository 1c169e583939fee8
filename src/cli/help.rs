//! Texts of `--help`.

pub const OVERVIEW: &str = "\
gridloom: affine MLIR programs on any GPU

usage: gridloom COMMAND [OPTIONS] FILE      ('-' reads standard input)

  run        run a program: kernels on the GPU, the rest here
  compile    compile ahead of time, to MLIR, SPIR-V or a shading language
  opt        read, transform by named passes, print
  translate  the spirv dialect to SPIR-V, and back
  explain    show for each loop whether it is parallel, or which dependences make it sequential
  tune       measure other schedules of a program's kernels and keep the fastest
  bench      measure kernels beside hand-written ones
  devices    list the devices to run on

'gridloom COMMAND --help' says more. Exit codes: 0 right, 1 the input was refused,
2 wrong usage, 3 the device failed or its results are wrong, 4 the time limit is over,
130 interrupted. Files are written whole or not at all, whatever ends a command.
";

pub const EXPLAIN: &str = "\
usage: gridloom explain FILE [OPTIONS] [-o OUT]

Says of each loop, in the order of the source, whether its iterations are independent, a
reduction or sequential; of a sequential one which dependences order it, from line to line,
with their distances and two iterations that touch the same element; and what the offload
pipeline makes of it: dimensions of a grid, the passes that change its nest, remarks.

  --json                   the same as one JSON object (docs/explain.md)
  --schedule               instead, the steps of the pipeline's passes that change loops, as a schedule
                           (docs/schedules.md)
  --fp strict|relaxed      as for 'gridloom run': strict floats keep the order of sums
  -o OUT                   the file to write (default: standard output)
";

pub const DEVICES: &str = "\
usage: gridloom devices [--json] [NAME]

Lists every device with its driver, features and limits, or the first that NAME is a part
of. 'gridloom run --device' takes a part of a name, or '#' and the number in this list.

  --json                   write profiles, which 'gridloom compile --target' reads
";

pub const TUNE: &str = "\
usage: gridloom tune FILE [OPTIONS]

Measures on a device how fast the program is by other schedules of its loop nests than the
model's, and writes the fastest to a database, which 'gridloom run' reads. The results of
each schedule are compared with the interpreter's before it is timed (docs/tuning.md).

  --time-budget SECONDS    time for all of it (default: 60)
  --database PATH          the database to write (default: GRIDLOOM_DATABASE, else
                           gridloom/tuning.txt where the system keeps data of programs)
  --device NAME            as for 'gridloom run', like the following
  --entry, --arg, --fp, --bounds, --portable, --map-for, --memory-spaces, --memory-limit,
  --allow-known-faults, --no-specialize
";

pub const BENCH: &str = "\
usage: gridloom bench [NAMES…] [OPTIONS]

Measures kernels that are plain loops: as gridloom maps them, beside hand-written WGSL on
the same device, the mapping of one iteration a thread, and plain Rust on one core. Every
result is compared with the reference first: what is wrong is not timed, and the exit code
is 1. Times are the best of runs in turns, arguments on the device and kernels compiled.

  polybench                stands for the 30 programs of PolyBench, which run only when named
  --list                   list the kernels
  --device auto|cpu|NAME   as for 'gridloom run'
  --time-budget SECONDS    time for the timed runs, all kernels together (default: 2 each)
  --size full|mini|small|odd|medium|large|extralarge
                           the data set of PolyBench's programs (full: medium; odd: odd sizes
                           between mini and small); of the others mini, small and odd are sizes
                           that only show that the results are right, and large is for discrete
                           GPUs, whose default it is
  --type f32|f64           the floats of PolyBench's programs (default: f32)
  --specialize             map programs of open sizes for the sizes of their arguments, as 'gridloom
                           run' does; without, for any sizes, as 'gridloom compile' does
  --check                  compare results and time nothing; with --fp strict at mini, small and
                           odd also with the program as written, bit by bit
  --json FILE              write the measurements as JSON, anew after each kernel
  --csv FILE               write them as comma-separated values
  --html FILE              write one page with a table, bars and a roofline
  --compare A.json B.json  show the speed in B relative to A, measuring nothing
  --fp, --portable, --allow-known-faults, --map-for
                           as for 'gridloom run'
";

pub const RUN: &str = "\
usage: gridloom run FILE [OPTIONS]

  --entry NAME             the function to run (default: the only public one); of bytecode,
                           only that and what it needs is read
  --arg SPEC               one for each parameter, in order: a number, @file.npy, zeros,
                           ones, iota or random:SEED; behind a word, sizes the type leaves
                           open, as in zeros[3x4]. A negative number is written --arg=-1.5.
                           Without any, memrefs are random and scalars 1.
  --save-arg N=@file.npy   save an argument as the program left it (from 0)
  --save-result N=@file.npy  save a result of the function
  --device auto|cpu|NAME   auto (default): a GPU if there is one, else software Vulkan
                           (lavapipe of Mesa 25 or later), else the embedded interpreter;
                           cpu: the interpreter; NAME: part of a device's name
  --require-device         an error where something cannot run on the device that would run
                           on the host then: with exit code 3 where there is no device, with
                           1 for a loop nest or launch that the device lacks something for
  --check                  also run the program as written on the interpreter and compare
  --time                   run again, warm, and print the time of both runs
  --profile FILE           write what device and host did when, copies included, as a trace for
                           Perfetto or chrome://tracing; launches take longer then
  --fp strict|relaxed      strict: the interpreter's results to the last bit; relaxed
                           (default): may fuse a product into a sum, and regroup
                           sums and products that a loop carries
  --bounds guarded|off     off: trust accesses that are not proved in range
  --portable               send kernels through naga, as devices other than Vulkan need
  --save-kernels FOLDER    write each kernel's SPIR-V module there as the device gets it, just before:
                           what 'gridloom compile' writes is for any device
  --spirv-dialect          send kernels through the text of MLIR's spirv dialect and back, as a
                           check of 'gridloom translate'
  --binding-limit SIZE     let a kernel see at most so many bytes of a buffer, as on a device with
                           that limit: launches that touch more are split where accesses allow
  --thread-order ascending|reverse|random:SEED
                           run on the interpreter, the workgroups and threads of a launch and
                           the iterations of parallel loops in this order
  --sanitize race,bounds,uninit,leak
                           run on the interpreter and stop at the first data race between
                           threads or iterations of a parallel loop, access out of range,
                           read of memory that nothing has written, or buffer never freed
  --memory-spaces NAME=KIND[:SIZE],…
                           what the names of memory spaces mean: host, staging, global,
                           workgroup or private memory of so many bytes, as in
                           hbm=global,vmem=workgroup:48KiB
  --memory-limit SIZE      bytes that the program's buffers may take together, as 500MiB or
                           8GiB (default: the memory of this machine)
  --time-limit SECONDS     stop the run, with exit code 4, when it takes longer; a kernel that the
                           driver compiles or runs then has 3 seconds to end
  --offload                map loops to kernels, as is done for every device but cpu
  --map-for device|gpu|cpu   map loops for what the device is (default), for GPUs or for
                           drivers that run kernels on the CPU
  -O0 | -O1 | -O2          how much to do for fast kernels: -O0 maps the loops that are parallel as
                           written, an iteration for each thread; -O1 also transforms loops
                           to make them parallel; -O2 (default) also tiles, fuses and unrolls
  --no-offload             run the program as written, nothing mapped to kernels
  --no-specialize          make kernels for any arguments; else they are for the sizes of those given,
                           and for integers among them that sizes or loops may follow from
  --remarks                say which loops stayed on the host, and why
  --explain [--json]       say of each kernel its schedule, what limits it and the next best,
                           with times of a warm run on a device (docs/tuning.md)
  --database PATH|none     the tuning database (default: GRIDLOOM_DATABASE, else the user's)
  --allow-known-faults     use a driver that is known to compute wrong results
";

pub const COMPILE: &str = "\
usage: gridloom compile FILE [OPTIONS] [-o OUT]

  --emit FORM              what to write: binary (default: the program with its loops mapped to
                           kernels, and these compiled, as gpu.binary; 'gridloom run' takes it),
                           mlir (the same with kernels as gpu.module), spirv, spirv-asm, wgsl,
                           msl, hlsl or glsl; json: what a program of your own needs to know
                           to launch the SPIR-V form
  --emit-bytecode          write binary and mlir as bytecode
  --kernel NAME            one kernel instead of all, as NAME or GPU_MODULE::NAME; GLSL has
                           one in a file
  --target NAME|FILE       the API that kernels are for: vulkan1.0 to vulkan1.4, webgpu, metal,
                           dx12 or opengl-es, or a device by its profile, as 'gridloom devices
                           --json NAME' writes it. Nests that need more than the target
                           guarantees stay on the host (--remarks). Default: the module's
                           #spirv.target_env, else any device with Vulkan 1.1
  --index-width 32|64      bits of 'index' in kernels (default 32)
  --params immediates|uniform  where scalars and sizes travel (default immediates; a
                           shading language has uniform only)
  --debuginfo              have SPIR-V say the line and column of each operation (OpLine)
  --wgsl-extensions none|naga  naga: 64-bit types in WGSL, which only naga reads
  --explain [--json]       say of each kernel its schedule and the reasons, to standard error
  --database PATH, --tuned-for NAME
                           use the tuned schedules of a device; its name may be left out where
                           the database has one
  -O0 | -O1 | -O2          as for 'gridloom run': -O0 compiles fastest, to the smallest kernels
  --fp, --bounds, --portable, --remarks, --memory-spaces
                           as for 'gridloom run'; strict floats need SPIR-V and a driver
                           with float controls, and not --portable
  -o OUT                   the file to write (default: standard output)
";

pub const TRANSLATE: &str = "\
usage: gridloom translate --serialize-spirv FILE [-o OUT]
       gridloom translate --deserialize-spirv FILE [-o OUT]

  --serialize-spirv        write a spirv.module as a SPIR-V file; 'gridloom opt
                           --convert-gpu-to-spirv' makes one of the kernels of a gpu.module
  --deserialize-spirv      write a SPIR-V file as the text of a spirv.module
  --module NAME            the spirv.module to write, where there are several; the name of the one
                           that is read
  -o OUT                   the file to write (default: standard output)
";

pub const OPT: &str = "\
usage: gridloom opt FILE [--PASS[=OPTIONS]]... [OPTIONS] [-o OUT]

  --PASS[=OPTIONS]         run a pass, e.g. --lower-affine; passes run in the order given
  --pass-pipeline TEXT     run a pipeline, as builtin.module(func.func(canonicalize),cse)
  --offload                map loops to GPU kernels: the whole pipeline
  --allow-unregistered-dialect   take operations of dialects that are not known
  --emit-bytecode          write MLIR bytecode, which every command reads as it reads text
  --mlir-print-op-generic  print the generic form
  --mlir-print-debuginfo   print locations
  --mlir-print-local-scope print affine maps and sets where they are used
  --mlir-print-ir-after-all  print the module after every pass, to standard error
  --mlir-timing            print the time of every pass, to standard error
  --mlir-disable-threading use one thread; what comes out is the same
  --verify-each=false      do not verify after every pass
  --split-input-file       treat the parts between '// -----' lines as files of their own
  --verify-diagnostics     hold errors, warnings, remarks and notes against comments in the
                           input such as '// expected-error@+1 {{words}}'
  --json                   diagnostics as JSON, an object a line, to standard error
  --list-passes            list the passes
  -o OUT                   the file to write (default: standard output)
";
