//! Schedules as text: what is printed is read as the same, and no text makes the reader panic.

use super::{MAX_NUMBER, ScheduleText, SplitPoint, Step};

/// SplitMix64 (G. Steele et al., "Fast splittable pseudorandom number generators", 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn name(&mut self) -> String {
        let names = [
            "i",
            "j",
            "i#2",
            "%0",
            "arg3",
            "i.tile",
            "by",
            "at",
            "in",
            "_x-1",
            "%-",
            "$",
            "tile",
            "i#17",
            "i#2.tile#3",
        ];
        self.pick(&names).to_owned()
    }

    /// Different names, `least` at least.
    fn names(&mut self, least: usize) -> Vec<String> {
        let mut names = Vec::new();
        let count = least + self.below(3);
        while names.len() < count {
            let name = self.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn pair(&mut self) -> [String; 2] {
        let mut names = self.names(2);
        [names.remove(0), names.remove(0)]
    }

    fn number(&mut self) -> i64 {
        self.pick(&[2, 3, 4, 32, MAX_NUMBER])
    }

    fn signed(&mut self) -> i64 {
        let number = self.number();
        self.pick(&[1, -1, number, -number])
    }

    fn step(&mut self) -> Step {
        let of = self.name();
        match self.below(17) {
            0 => {
                let names = self.names(1);
                Step::Tile(
                    names
                        .into_iter()
                        .map(|name| (name, self.number()))
                        .collect(),
                )
            }
            1 => Step::Interchange(self.pair()),
            2 => Step::Permute(self.names(2)),
            3 => Step::Reverse(of),
            4 => {
                let [of, along] = self.pair();
                let by = self.signed();
                Step::Skew { of, by, along }
            }
            5 => Step::Shift {
                of,
                by: self.signed(),
            },
            6 => Step::Fuse(self.pair()),
            7 => Step::Distribute(of),
            8 => {
                let name = self.name();
                let at = [
                    SplitPoint::Number(i64::MIN),
                    SplitPoint::Number(self.signed()),
                    SplitPoint::Counter(name),
                ];
                let at = self.pick(&at);
                Step::Split { of, at }
            }
            9 => Step::Peel {
                of,
                count: self.signed(),
            },
            10 => Step::Unroll { of, factor: None },
            11 => Step::Unroll {
                of,
                factor: Some(self.number().unsigned_abs()),
            },
            12 => Step::UnrollJam {
                of,
                factor: self.number().unsigned_abs(),
            },
            13 => {
                let sizes = (0..1 + self.below(3)).map(|_| self.number()).collect();
                Step::StripMine { of, sizes }
            }
            14 => Step::Coalesce(self.names(2)),
            15 => self.pick(&[Step::Normalize(of.clone()), Step::Parallelize(of)]),
            _ => {
                let inside = [None, Some(self.name())];
                let inside = self.pick(&inside);
                Step::Privatize { of, inside }
            }
        }
    }

    fn schedule(&mut self) -> ScheduleText {
        let functions = ["f", "g.h", "two words", "a \"q\" \\", ""];
        let mut function = None;
        let mut steps = Vec::new();
        for _ in 0..self.below(6) {
            if self.below(3) == 0 {
                function = Some(self.pick(&functions).to_owned());
            }
            steps.push((function.clone(), self.step()));
        }
        ScheduleText::of_steps(steps)
    }
}

fn parse(text: &str) -> Result<ScheduleText, String> {
    ScheduleText::parse("schedule", text).map_err(|error| error.to_string())
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let schedule = random.schedule();
        let text = schedule.to_string();
        let read = parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(read, schedule, "{text}");
        assert_eq!(read.to_string(), text);
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut random = Random(2);
    let pieces = [
        "(",
        ")",
        ";",
        ",",
        ":",
        "#",
        "@",
        "\"",
        "\\",
        "-",
        "*",
        "%",
        "//",
        "\n",
        " ",
        "é",
        "\u{0}",
        "in",
        "by",
        "at",
        "tile",
        "split",
        "9223372036854775808",
        "-9223372036854775808",
        "0",
        "i",
    ];
    for _ in 0..20_000 {
        let mut text = random.schedule().to_string();
        for _ in 0..1 + random.below(4) {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = starts.get(random.below(starts.len() + 1)).copied();
            let at = at.unwrap_or(text.len());
            match random.below(2) {
                0 => text.insert_str(at, random.pick(&pieces)),
                _ => {
                    let end = starts.iter().find(|&&start| start > at);
                    text.replace_range(at..end.copied().unwrap_or(text.len()), "");
                }
            }
        }
        if let Ok(read) = parse(&text) {
            assert_eq!(parse(&read.to_string()), Ok(read), "{text}");
        }
    }
}

#[test]
fn blanks_comments_and_empty_steps_do_not_matter() {
    let text = "// the product\nin @\"gemm\" :\n  tile ( %i,j:32 ,\n 8 ) ;; // twice\n reverse(k);";
    let read = parse(text).map(|schedule| schedule.to_string());
    assert_eq!(
        read.as_deref(),
        Ok("in @gemm: tile(i, j: 32, 8); reverse(k)")
    );
}

#[test]
fn mistakes_are_located() {
    let error = |text: &str| parse(text).unwrap_err();
    let cases = [
        ("tile(i: 0)", "schedule:1:9: 0 is not from 1 to 1048576"),
        (
            "reverse(i)\n  turn(i)",
            "schedule:2:3: expected ';', not 't'",
        ),
        (
            "reverse(i);\n  turn(i)",
            "schedule:2:3: there is no step 'turn'; there are tile",
        ),
        ("tile(i, i: 1, 2)", "schedule:1:9: loop 'i' is named twice"),
        (
            "tile(i, j: 4)",
            "schedule:1:11: there must be one size for each loop",
        ),
        ("skew(j by 2i)", "schedule:1:12: expected '*', not 'i'"),
        (
            "skew(j by j)",
            "schedule:1:11: loop 'j' cannot be skewed along itself",
        ),
        (
            "reverse(é)",
            "schedule:1:9: expected the name of a loop, not 'é'",
        ),
        ("in f: reverse(i)", "schedule:1:4: expected '@', not 'f'"),
        (
            "in @\"f",
            "schedule:1:5: this name has no closing quotation mark",
        ),
        (
            "interchange(i, j, k)",
            "schedule:1:13: this step takes two loops, not 3",
        ),
        (
            "peel(i: 0)",
            "schedule:1:9: a size of 0 iterations cannot be used; write 1 or more",
        ),
        (
            "reverse",
            "schedule:1:1: expected a step such as 'tile(i: 32)', not 'reverse'",
        ),
        (
            "split(i at 99999999999999999999)",
            "schedule:1:12: 99999999999999999999 is not from",
        ),
    ];
    for (text, wanted) in cases {
        let found = error(text);
        assert!(found.starts_with(wanted), "{text}\n{found}");
    }
}
