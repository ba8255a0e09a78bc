// Values of the standard library and calls, for the clients of the debug adapter.
struct Point {
    x: i32,
    y: i32,
}

fn scale(point: &Point, by: i32) -> Point {
    let x = point.x * by; // mark: scale
    let y = point.y * by;
    Point { x, y }
}

fn main() {
    let numbers: Vec<i32> = (0..100000).collect();
    let text = String::from("hello");
    let some: Option<i32> = Some(7);
    let none: Option<i32> = None;
    let point = Point { x: 1, y: 2 };
    let mut scaled = scale(&point, 3); // mark: call
    scaled.x += 1; // mark: change
    println!("{} {} {} {:?} {:?} {}", scaled.x, scaled.y, text, some, none, numbers.len()); // mark: print
}
