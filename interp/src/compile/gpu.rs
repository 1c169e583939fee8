//! Compiler of `gpu`: launches, kernels and their ids.

use super::*;
use crate::code::{AllocInfo, IdKind, LaunchFuncInfo, LaunchInfo, add_row};
use gridloom_dialects::inherent;
use gridloom_dialects::memory_space::SpaceKind;

/// Attributed memory: the register its buffer goes to, and the buffer.
type Attributed = Vec<(Reg, AllocInfo)>;

impl FunctionCompiler<'_, '_> {
    pub(super) fn gpu(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        match data.name {
            gpu_ops::LAUNCH => self.launch(op)?,
            gpu_ops::LAUNCH_FUNC => self.launch_func(op)?,
            gpu_ops::BARRIER => {
                self.emit(Instr::Barrier);
            }
            gpu_ops::PRINTF => self.printf(op)?,
            gpu_ops::THREAD_ID => self.id(op, IdKind::Thread)?,
            gpu_ops::BLOCK_ID => self.id(op, IdKind::Block)?,
            gpu_ops::BLOCK_DIM => self.id(op, IdKind::BlockSize)?,
            gpu_ops::GRID_DIM => self.id(op, IdKind::GridSize)?,
            gpu_ops::GLOBAL_ID => self.id(op, IdKind::Global)?,
            gpu_ops::ALLOC => {
                let groups = self.segments()?;
                let dynamic = groups.get(1).cloned().unwrap_or_default();
                self.tokens(op)?;
                self.alloc(data.result(0), &dynamic, false)?;
            }
            gpu_ops::DEALLOC => {
                let memref = self.last_operand()?;
                let (mem, _) = self.mem(memref)?;
                self.tokens(op)?;
                self.emit(Instr::Free { mem });
            }
            gpu_ops::MEMCPY | gpu_ops::MEMSET => {
                let [.., target, source] = data.operands[..] else {
                    return self.error("two operands expected");
                };
                let (dst, kind) = self.mem(target)?;
                let token = self.tokens(op)?;
                match (self.slot(source)?, token) {
                    (Slot::Mem(src, _), Some(token)) => self.emit(Instr::CopyAsync {
                        src,
                        dst,
                        kind,
                        token,
                    }),
                    (Slot::Mem(src, _), None) => self.emit(Instr::Copy { src, dst, kind }),
                    (Slot::Scalar(value, _), _) => self.emit(Instr::Fill { dst, value, kind }),
                    (Slot::Vector { .. }, _) => {
                        return self.error("a value to copy was expected");
                    }
                };
            }
            gpu_ops::WAIT | gpu_ops::HOST_REGISTER | gpu_ops::HOST_UNREGISTER => {
                self.tokens(op)?;
            }
            gpu_ops::SET_DEFAULT_DEVICE => {
                let device = self.last_operand()?;
                if arith_ops::constant_int(self.ctx, self.body, device) != Some(0) {
                    return self.error("a run has one device, whose number is the constant 0");
                }
            }
            _ => return self.group(op),
        }
        Ok(true)
    }

    /// Waits for the async dependencies of an operation: ends the copies behind their tokens, since
    /// all else runs synchronously here. Gives the register of the operation's own token, if it has
    /// one.
    fn tokens(&mut self, op: OpId) -> Compiled<Option<Reg>> {
        let data = &self.body[op];
        let token = gpu_ops::async_token(self.ctx);
        let waits = data.operands.iter().copied();
        let waits: Vec<Value> = waits.filter(|&v| self.body.ty(v) == token).collect();
        let waits = self.scalars(&waits)?;
        let all = data.name == gpu_ops::WAIT && data.operands.is_empty();
        if all && data.num_results() == 0 {
            self.emit(Instr::AwaitAll);
        } else if !waits.is_empty() {
            let tokens = self.span(&waits);
            self.emit(Instr::Await { tokens });
        }
        let mut results = data.results();
        match results.find(|&result| self.body.ty(result) == token) {
            Some(result) => self.define_scalar(result).map(Some),
            None => Ok(None),
        }
    }

    fn last_operand(&mut self) -> Compiled<Value> {
        match self.current.operands.last() {
            Some(&value) => Ok(value),
            None => self.error("an operand is missing"),
        }
    }

    fn id(&mut self, op: OpId, kind: IdKind) -> Compiled {
        let data = &self.body[op];
        let Some(dim) = self.current.get(self.ctx, inherent::DIMENSION) else {
            return self.error("the dimension is one of x, y and z");
        };
        let dim = dim as u8;
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::Id { kind, dim, dst });
        Ok(())
    }

    /// The six sizes that follow the async dependencies in both launches.
    fn launch_sizes(&mut self, groups: &[Vec<Value>]) -> Compiled<([Reg; 3], [Reg; 3])> {
        let mut sizes = [0; 6];
        for (size, group) in sizes.iter_mut().zip(groups.get(1..7).unwrap_or(&[])) {
            let [value] = group[..] else {
                return self.error("a launch has three grid and three block sizes");
            };
            *size = self.scalar(value)?;
        }
        let [gx, gy, gz, bx, by, bz] = sizes;
        Ok(([gx, gy, gz], [bx, by, bz]))
    }

    /// Splits memory attributions into workgroup and private ones.
    pub(super) fn attributions(
        &mut self,
        args: &[Value],
        workgroup: i64,
    ) -> Compiled<(Attributed, Attributed)> {
        let mut all = Vec::new();
        for &arg in args {
            let info = self.alloc_info(self.body.ty(arg), &[], true)?;
            let reg = match self.slot(arg)? {
                Slot::Mem(reg, _) => reg,
                _ => return self.error("a memory attribution is a memref"),
            };
            all.push((reg, info));
        }
        let private = all.split_off((workgroup.max(0) as usize).min(all.len()));
        Ok((all, private))
    }

    /// Compiles `memref.alloca` of workgroup memory in a kernel: one buffer for all threads, as if
    /// it were an attribution. `false` for any other allocation.
    pub(super) fn shared_alloca(&mut self, result: Value) -> Compiled<bool> {
        let ty = self.body.ty(result);
        let kind = MemorySpaces::default().of_type(self.ctx, ty).kind;
        let is_static = ty.memref(self.ctx).is_some_and(|ty| ty.has_static_shape());
        let (Some(sharing), Some(SpaceKind::Workgroup), true) = (self.sharing, kind, is_static)
        else {
            return Ok(false);
        };
        let info = self.alloc_info(ty, &[], true)?;
        let buffer = (self.define_mem(result)?, info);
        match sharing {
            Sharing::Kernel => self.out.workgroup.push(buffer),
            Sharing::Launch(number) => self.out.launches[number].workgroup.push(buffer),
        }
        Ok(true)
    }

    fn launch(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let groups = self.segments()?;
        let (grid, block) = self.launch_sizes(&groups)?;
        self.tokens(op)?;
        let Some(entry) = self.body.region_block(op, 0) else {
            return self.error("the launch has no body");
        };
        let args = self.body[entry].args.to_vec();
        let clusters = groups
            .get(7..10)
            .is_some_and(|g| g.iter().any(|g| !g.is_empty()));
        if clusters {
            return self.error("the interpreter does not run thread-block clusters");
        }
        let Some((id_args, attributed)) = args.split_at_checked(12) else {
            return self.error("the body of a launch has twelve index arguments");
        };
        let mut ids = [0; 12];
        for (id, &arg) in ids.iter_mut().zip(id_args) {
            *id = self.define_scalar(arg)?;
        }
        for &arg in attributed {
            self.define(arg)?;
        }
        let count = data
            .get(self.ctx, inherent::WORKGROUP_ATTRIBUTIONS)
            .unwrap_or(0);
        let (workgroup, private) = self.attributions(attributed, count)?;
        let number = self.out.launches.len();
        self.out.launches.push(LaunchInfo {
            grid,
            block,
            ids,
            body: 0,
            after: 0,
            workgroup,
            private,
        });
        self.emit(Instr::Launch {
            info: number as u32,
        });
        self.out.launches[number].body = self.here();
        let outer = self.sharing.replace(Sharing::Launch(number));
        // All threads begin in the same iteration of the host's loops.
        let loops = std::mem::take(&mut self.loops);
        let was_unstructured = std::mem::take(&mut self.is_unstructured);
        if let Some(&region) = data.inline_regions().first() {
            self.cfg(region)?;
        }
        self.loops = loops;
        self.is_unstructured = was_unstructured;
        self.sharing = outer;
        self.out.launches[number].after = self.here();
        Ok(())
    }

    fn launch_func(&mut self, op: OpId) -> Compiled {
        let groups = self.segments()?;
        let (grid, block) = self.launch_sizes(&groups)?;
        self.tokens(op)?;
        let kernel = self.property(inherent::KERNEL)?;
        // async, 3 grid, 3 block, 3 cluster, shared memory, then the operands.
        let operands = groups.get(11).cloned().unwrap_or_default();
        let arguments = self.slots_of(&operands)?;
        let arguments = arguments.into_iter().flat_map(|slot| self.split(slot));
        let arguments = arguments.collect();
        let AttrKind::Symbol { root, nested } = kernel.kind(self.ctx) else {
            return self.error("'kernel' is no symbol");
        };
        let key = match nested[..] {
            [name] => Some((Some(*root), name)),
            _ => None,
        };
        let function = key.and_then(|key| self.unit.function_number(key));
        let kernel_op = key.and_then(|key| self.unit.find(key));
        let kernel_op = kernel_op.map(|(body, op)| &body[op]);
        let known_grid = kernel_op.and_then(|op| inherent::known_grid_size(self.ctx, op));
        let known_block = kernel_op.and_then(|op| inherent::known_block_size(self.ctx, op));
        let info = add_row(
            &mut self.out.launch_funcs,
            LaunchFuncInfo {
                kernel,
                function,
                grid,
                block,
                known_grid,
                known_block,
                arguments,
            },
        );
        self.emit(Instr::LaunchFunc { info });
        Ok(())
    }
}
