//! Normalisation of inequalities: tightens them and merges parallel ones.

use std::cmp::Ordering;

use super::{Meter, Stop, System};
use crate::row::{self, Row};

/// Outcome of a normalisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Normalised {
    /// The system is empty: two inequalities contradict each other, or one holds nowhere.
    Empty,
    /// Two opposite inequalities made an equality, which was added.
    NewEqualities,
    /// Every inequality is tight, and no two are parallel and equally directed.
    Done,
}

/// Tightens every inequality, keeps the stronger of two parallel ones, and compares opposite ones:
/// `f >= -c1` and `f <= c2` contradict each other if `c1 + c2 < 0`, and say `f = c2` if `c1 + c2 =
/// 0`.
pub(crate) fn normalise(system: &mut System, meter: &mut Meter) -> Result<Normalised, Stop> {
    let mut rows = std::mem::take(&mut system.inequalities);
    meter.spend(rows.len())?;
    if !row::normalise_all(&mut rows, row::normalise_inequality) {
        return Ok(Normalised::Empty);
    }
    let mut rows: Vec<Line> = rows.into_iter().map(Line::new).collect();
    // Parallel rows next to each other, within them one direction before the other,
    // and the strongest, the one with the smallest constant, first.
    rows.sort_unstable_by(|x, y| {
        x.compare(y)
            .then_with(|| y.sign.cmp(&x.sign))
            .then_with(|| row::constant(&x.row).cmp(&row::constant(&y.row)))
    });
    rows.dedup_by(|later, kept| later.sign == kept.sign && later.compare(kept).is_eq());

    let mut result = Normalised::Done;
    let mut kept: Vec<Line> = Vec::with_capacity(rows.len());
    for line in rows {
        let Some(last) = kept.last().filter(|last| last.compare(&line).is_eq()) else {
            kept.push(line);
            continue;
        };
        let width = i128::from(row::constant(&last.row)) + i128::from(row::constant(&line.row));
        match width.cmp(&0) {
            Ordering::Less => return Ok(Normalised::Empty),
            Ordering::Equal => {
                kept.pop();
                system.equalities.push(line.row);
                result = Normalised::NewEqualities;
            }
            Ordering::Greater => kept.push(line),
        }
    }
    system.inequalities = kept.into_iter().map(|line| line.row).collect();
    Ok(result)
}

/// A row and where its direction shows, found once for the many comparisons of a sort.
struct Line {
    row: Row,
    /// Place of the first coefficient that is not zero; their number if there is none.
    lead: usize,
    /// Sign of that coefficient.
    sign: i64,
}

impl Line {
    fn new(row: Row) -> Self {
        let coefficients = row::coefficients(&row);
        let lead = coefficients.iter().position(|&entry| entry != 0);
        let lead = lead.unwrap_or(coefficients.len());
        let sign = coefficients.get(lead).map_or(0, |entry| entry.signum());
        Line { row, lead, sign }
    }

    /// Orders rows by coefficients, up to the sign of the whole row.
    fn compare(&self, other: &Line) -> Ordering {
        // A row that leads earlier comes later: its coefficient is positive there, the other's 0.
        other.lead.cmp(&self.lead).then_with(|| {
            let [ours, theirs] =
                [self, other].map(|line| &row::coefficients(&line.row)[line.lead..]);
            ours.iter()
                .zip(theirs)
                .map(|(a, b)| (a * self.sign).cmp(&(b * other.sign)))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(inequalities: &[&[i64]]) -> (Normalised, System) {
        let mut system = System {
            vars: 2,
            equalities: Vec::new(),
            inequalities: inequalities.iter().map(|row| row.to_vec()).collect(),
        };
        let result = normalise(&mut system, &mut Meter::new(100)).expect("small");
        (result, system)
    }

    #[test]
    fn the_stronger_of_parallel_inequalities_stays() {
        let (result, system) = normalised(&[&[1, -1, 5], &[2, -2, 3], &[1, 0, 0]]);
        assert_eq!(result, Normalised::Done);
        assert_eq!(system.inequalities, [vec![1, -1, 1], vec![1, 0, 0]]);
    }

    #[test]
    fn opposite_inequalities_meet_contradict_or_leave_room() {
        assert_eq!(
            normalised(&[&[1, -1, 2], &[-1, 1, -3]]).0,
            Normalised::Empty
        );
        let (result, system) = normalised(&[&[1, -1, 3], &[-1, 1, -3]]);
        assert_eq!(result, Normalised::NewEqualities);
        assert_eq!((system.equalities.len(), system.inequalities.len()), (1, 0));
        assert_eq!(normalised(&[&[1, -1, 4], &[-1, 1, -3]]).0, Normalised::Done);
        // 1 <= 2x <= 1 has rational solutions only.
        assert_eq!(normalised(&[&[2, 0, -1], &[-2, 0, 1]]).0, Normalised::Empty);
    }
}
