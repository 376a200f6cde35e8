//! A cellar that ages cheese.

#![deny(missing_docs)]

use std::collections::{BTreeMap, HashMap as Map};
use std::fmt::{self, Display, Write as _};
use std::io;

use crate::mold::*;
pub use crate::shelf::Shelf;

mod mold;

/// How far a wheel has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// Just pressed.
    Fresh,
    Aging(u32),
    Ripe { since: u64, grade: char },
    Gone = 9,
}

/// A wheel of cheese.
#[derive(Debug)]
pub struct Wheel<'a, T = f64> {
    /// What the label says.
    pub name: &'a str,
    #[allow(dead_code)]
    weight: T,
    stage: Stage,
}

struct Grams(u64);

const SHELF_LIFE: u32 = 400;
static mut OPENED: usize = 0;

type Result<T> = std::result::Result<T, CellarError>;

/// Anything that can ripen.
pub trait Ripen: fmt::Debug + Into<String>
where
    Self: Sized,
{
    /// What it gives off.
    type Smell: Display;
    const SLOW: bool = true;

    /// Age by some days.
    fn age(&mut self, days: u32) -> Result<()>;

    fn is_ripe(&self) -> bool {
        false
    }
}

impl<'a, T> Ripen for Wheel<'a, T>
where
    T: Copy,
{
    type Smell = String;

    fn age(&mut self, days: u32) -> Result<()> {
        self.stage = match self.stage {
            Stage::Fresh => Stage::Aging(days),
            Stage::Aging(so_far) if so_far + days > SHELF_LIFE => Stage::Gone,
            Stage::Aging(so_far) => Stage::Aging(so_far + days),
            Stage::Ripe { since, .. } => Stage::Ripe { since: since + 1, grade: 'b' },
            other => other,
        };
        Ok(())
    }
}

impl<'a> Wheel<'a> {
    /// Press a new one.
    pub fn new(name: &'a str, weight: f64) -> Self {
        let lighter = |grams: f64| grams * 0.9;
        Wheel { name, weight: lighter(weight), stage: Stage::Fresh }
    }
}

impl Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", label(*self))
    }
}

macro_rules! wheels {
    ($($name:expr),*) => { vec![$(Wheel::new($name, 1.0)),*] };
    () => { Vec::new() };
}

/// Everything that can go wrong.
#[derive(Debug)]
pub struct CellarError;

async fn label(stage: Stage) -> &'static str {
    if let Stage::Ripe { grade, .. } = stage {
        return "ripe";
    } else if stage == Stage::Gone {
        unsafe { OPENED += 1 };
    }
    loop {
        break "young";
    }
}

fn sort_by_weight(wheels: &mut Vec<Wheel<'_>>, (low, high): (f64, f64)) -> io::Result<Map<u8, f64>> {
    let mut found = Map::new();
    wheels.sort_by(|a, b| a.weight.partial_cmp(&b.weight).unwrap());
    for (i, wheel) in wheels.iter_mut().enumerate() {
        wheel.weight = wheel.weight.clamp(low, high);
        found.insert(i as u8, wheel.weight);
    }
    let names = wheels.iter().map(|w| w.name).collect::<Vec<_>>();
    println!("{} of {:?}", names.len(), wheels[0].name);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let mut wheel = Wheel::new("brie", 2.0);
        assert!(wheel.age(3).is_ok());
    }
}
