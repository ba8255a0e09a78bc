package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	numbers := make(chan int)
	var group sync.WaitGroup
	var lock sync.Mutex
	sum, max := 0, 0
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range numbers {
				lock.Lock()
				sum += n
				if n > max {
					max = n
				}
				lock.Unlock()
			}
		}()
	}
	for i := 0; i < 100; i++ {
		numbers <- i
	}
	close(numbers)
	group.Wait()
	// Long enough for the scheduler to preempt it by a signal.
	x := uint32(1)
	done := make(chan bool)
	go func() { time.Sleep(20 * time.Millisecond); done <- true }()
	for i := 0; i < 30000000; i++ {
		x = x*1664525 + 1013904223
	}
	<-done
	fmt.Println("sum", sum, "max", max, "hash", x, "at", time.Now().UnixNano() > 0)
}
