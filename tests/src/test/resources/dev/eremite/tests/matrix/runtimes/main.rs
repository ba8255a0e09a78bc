use std::sync::{mpsc, Arc, Mutex};
use std::thread;
use std::time::Instant;

fn main() {
    let start = Instant::now();
    let total = Arc::new(Mutex::new(0u64));
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..4)
        .map(|n| {
            let total = Arc::clone(&total);
            let sender = sender.clone();
            thread::spawn(move || {
                for i in (n..100).step_by(4) {
                    *total.lock().unwrap() += i;
                }
                sender.send(thread::current().id()).unwrap();
            })
        })
        .collect();
    drop(sender);
    let order: Vec<_> = receiver.iter().collect();
    let count = threads.len();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("total {} in {} threads {:?} {:?}", total.lock().unwrap(), count, order, start.elapsed());
}
