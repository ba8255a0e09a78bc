threads = 4.times.map { |i| Thread.new { sleep rand / 100; i * i } }
squares = threads.map(&:value)
pid = fork { exit! 3 }
Process.wait(pid)
puts "threads #{squares} child #{$?.exitstatus}"
puts Time.now.to_f, rand
