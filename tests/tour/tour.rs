// A program for the tour of gdb's commands: a loop, a structure, threads, a child and output.
use std::process::Command;
use std::thread;

struct Point {
    x: i32,
    y: i32,
}

static mut COUNTER: i32 = 0;

#[inline(never)]
fn scale(value: i32, factor: i32) -> i32 {
    let result = value * factor;
    unsafe { COUNTER += 1 };
    result
}

#[inline(never)]
fn total(limit: i32) -> i32 {
    let mut sum = 0;
    let mut i = 1;
    while i <= limit {
        sum += scale(i, 3);
        i += 1;
    }
    sum
}

fn main() {
    let sum = total(5);
    let corner = Point { x: sum, y: 4 };
    let workers: Vec<_> = (1..3).map(|number| thread::spawn(move || number * 10)).collect();
    let numbers: Vec<i32> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
    let status = Command::new("true").status().unwrap();
    println!("sum {} numbers {:?} status {} corner {}", sum, numbers, status, corner.x + corner.y);
}
