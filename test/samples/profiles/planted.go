// Writes its own profiles into the folder of the first argument, in pprof's format and in the old one.
package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

var kept [][]byte
var sink int

type store struct{ parts []string }

func (s *store) fill(n int) {
	for i := 0; i < n; i++ {
		s.parts = append(s.parts, strings.Repeat("x", i%97))
	}
}

//go:noinline
func spin(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += weigh(i)
	}
	return sum
}

func weigh(i int) int { return i*i%7 + i>>3 }

func keep() {
	for i := 0; i < 64; i++ {
		kept = append(kept, make([]byte, 1<<18))
	}
}

func work() {
	end := time.Now().Add(300 * time.Millisecond)
	for time.Now().Before(end) {
		sink += spin(2000000)
		(&store{}).fill(20000)
	}
}

func save(folder, name, file string, debug int) {
	out, _ := os.Create(filepath.Join(folder, file))
	defer out.Close()
	pprof.Lookup(name).WriteTo(out, debug)
}

func main() {
	folder := os.Args[1]
	runtime.SetMutexProfileFraction(1)
	cpu, _ := os.Create(filepath.Join(folder, "go-cpu.pb.gz"))
	pprof.StartCPUProfile(cpu)
	pprof.Do(context.Background(), pprof.Labels("job", "planted", "part", "one"), func(context.Context) { work() })
	keep()
	var lock sync.Mutex
	var done sync.WaitGroup
	for i := 0; i < 4; i++ {
		done.Add(1)
		go func() {
			defer done.Done()
			for j := 0; j < 5; j++ {
				lock.Lock()
				time.Sleep(time.Millisecond)
				lock.Unlock()
			}
		}()
	}
	done.Wait()
	pprof.StopCPUProfile()
	cpu.Close()
	save(folder, "heap", "go-heap.pb.gz", 0)
	save(folder, "heap", "go-heap.txt", 1)
	save(folder, "goroutine", "go-goroutine.txt", 1)
	save(folder, "mutex", "go-mutex.txt", 1)
	save(folder, "threadcreate", "go-threadcreate.txt", 1)
}
