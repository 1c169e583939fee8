# Reads questions and gridloom's answers, asks isl, and tells where the two differ. See mod.rs.
import collections
import sys

try:
    import islpy as isl
except ImportError:
    sys.exit("this Python has no islpy (pip install islpy); GRIDLOOM_PYTHON names another")


def boolean(answer, value):
    return answer == ("true" if value else "false")


def same_set(answer, expected):
    return isl.Set(answer).is_equal(expected)


def same_map(answer, expected):
    return isl.Map(answer).is_equal(expected)


def as_dims(a):
    """Parameters as dims after the dims, as gridloom's columns have them."""
    n, dims = a.dim(isl.dim_type.param), a.dim(isl.dim_type.set)
    return a.move_dims(isl.dim_type.set, dims, isl.dim_type.param, 0, n)


def end(value):
    return str(value) if value.is_int() else ""


def ranges(a):
    # isl's dim_max_val counts basic sets that have rational points only.
    filled = [part for part in a.get_basic_sets() if not part.is_empty()]
    a = isl.Set.from_basic_set(filled.pop())
    for part in filled:
        a = a.union(isl.Set.from_basic_set(part))
    sides = []
    for dim in range(a.dim(isl.dim_type.set)):
        sides.append(f"{end(a.dim_min_val(dim))}..{end(a.dim_max_val(dim))}")
    return " ".join(sides)


def count(a):
    a = as_dims(a)
    if a.is_empty():
        return "0"
    if not a.is_bounded():
        return "infinite"
    return str(a.make_disjoint().count_val())


class Contradiction(Exception):
    """An extreme of isl that another element of the set lies beyond."""


def extreme(a, find):
    if a.is_empty():
        return "empty"
    try:
        point = find(a)
    except isl.Error as error:
        if "unbounded" in str(error):
            return "unbounded"
        raise
    # isl takes some sets without an end for sets that have one: what it found is held against the set.
    beyond = a.lex_lt_set(point) if find is isl.Set.lexmin else a.lex_gt_set(point)
    if not beyond.is_empty():
        raise Contradiction
    point = point.sample_point()
    dims = range(a.dim(isl.dim_type.set))
    values = (point.get_coordinate_val(isl.dim_type.set, dim) for dim in dims)
    return " ".join(map(str, values))


def last_out(a):
    dims = a.dim(isl.dim_type.set)
    return a.project_out(isl.dim_type.set, dims - 1, 1)


OPERATIONS = {
    "empty": lambda a, answer: boolean(answer, isl.Set(a).is_empty()),
    "subset": lambda a, b, answer: boolean(answer, isl.Set(a).is_subset(isl.Set(b))),
    "equal": lambda a, b, answer: boolean(answer, isl.Set(a).is_equal(isl.Set(b))),
    "intersect": lambda a, b, answer: same_set(answer, isl.Set(a) & isl.Set(b)),
    "union": lambda a, b, answer: same_set(answer, isl.Set(a) | isl.Set(b)),
    "subtract": lambda a, b, answer: same_set(answer, isl.Set(a) - isl.Set(b)),
    "complement": lambda a, answer: same_set(answer, isl.Set(a).complement()),
    "count": lambda a, answer: answer == count(isl.Set(a)),
    "box": lambda a, answer: answer
    == ("empty" if isl.Set(a).is_empty() else ranges(as_dims(isl.Set(a)))),
    "project": lambda a, answer: same_set(answer, last_out(isl.Set(a))),
    "project_within": lambda a, answer: last_out(isl.Set(a)).is_subset(isl.Set(answer)),
    "lexmin": lambda a, answer: same_set(answer, isl.Set(a).lexmin()),
    "lexmax": lambda a, answer: same_set(answer, isl.Set(a).lexmax()),
    "first": lambda a, answer: answer == extreme(isl.Set(a), isl.Set.lexmin),
    "last": lambda a, answer: answer == extreme(isl.Set(a), isl.Set.lexmax),
    "inverse": lambda a, answer: same_map(answer, isl.Map(a).reverse()),
    "domain": lambda a, answer: same_set(answer, isl.Map(a).domain()),
    "range": lambda a, answer: same_set(answer, isl.Map(a).range()),
    "compose_inverse": lambda a, b, answer: same_map(
        answer, isl.Map(a).apply_range(isl.Map(b).reverse())
    ),
    "image_of_domain": lambda a, b, answer: same_set(answer, isl.Map(a).domain().apply(isl.Map(b))),
    "distances": lambda a, answer: answer == distances(isl.Map(a)),
    "lex_before": lambda a, answer: same_map(
        answer, isl.Map(a) & isl.Map.lex_lt(isl.Map(a).domain().get_space())
    ),
}


def distances(a):
    deltas = a.deltas()
    dims = range(deltas.dim(isl.dim_type.set))
    if deltas.is_empty():
        return " ".join("empty" for _ in dims)
    return ranges(deltas.project_out(isl.dim_type.param, 0, deltas.dim(isl.dim_type.param)))


# What isl may spend on one question.
MAX_OPERATIONS = 200_000

compared = collections.Counter()
unknown = collections.Counter()
foreign = collections.Counter()
wrong = 0
cases = set()
isl.DEFAULT_CONTEXT.set_max_operations(MAX_OPERATIONS)
for line in sys.stdin:
    case, operation, *operands, answer = line.rstrip("\n").split("\t")
    cases.add(case)
    if answer == "?":
        unknown[operation] += 1
        continue
    isl.DEFAULT_CONTEXT.reset_operations()
    try:
        agrees = OPERATIONS[operation](*operands, answer)
    except Contradiction:
        foreign[operation] += 1
        continue
    except isl.Error as error:
        # isl gave up within its own limit, or takes no unbounded set. The limit counts while it
        # reads, too, and then it calls the text wrong.
        if "unbounded" not in str(error) and "operations" not in str(error):
            isl.DEFAULT_CONTEXT.set_max_operations(0)
            for text in [*operands, answer]:
                if text.startswith("["):
                    isl.UnionMap(text) if "] -> [" in text else isl.Set(text)
            isl.DEFAULT_CONTEXT.set_max_operations(MAX_OPERATIONS)
        foreign[operation] += 1
        continue
    compared[operation] += 1
    if not agrees:
        wrong += 1
        print(f"case {case}: {operation} of", *operands, f"is not {answer}", sep="\n  ", flush=True)

for operation in OPERATIONS:
    print(
        f"{operation:16} {compared[operation]:8} compared, {unknown[operation]:6} unknown here, "
        f"{foreign[operation]:6} not by isl"
    )
print(
    f"{2 * len(cases)} sets, {sum(compared.values())} answers compared, "
    f"{sum(unknown.values())} unknown here, {wrong} differ"
)
sys.exit(wrong > 0)
