// A program for the tour of gdb's commands: a loop, a structure, goroutines, a child and output.
package main

import (
	"fmt"
	"os/exec"
	"sync"
)

type point struct {
	x, y int
}

var counter int
var corner = point{3, 4}

//go:noinline
func scale(value int, factor int) int {
	result := value * factor
	counter += 1
	return result
}

//go:noinline
func total(limit int) int {
	sum := 0
	for i := 1; i <= limit; i++ {
		sum += scale(i, 3)
	}
	return sum
}

func main() {
	sum := total(5)
	corner.x = sum
	numbers := []int{1, 2}
	var all sync.WaitGroup
	for i := range numbers {
		all.Add(1)
		go func(number *int) {
			*number *= 10
			all.Done()
		}(&numbers[i])
	}
	all.Wait()
	err := exec.Command("true").Run()
	fmt.Println("sum", sum, "numbers", numbers, "error", err)
}
