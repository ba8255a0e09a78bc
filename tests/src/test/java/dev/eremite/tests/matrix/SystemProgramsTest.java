package dev.eremite.tests.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eremite.tests.command.Folders;
import dev.eremite.tests.command.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Programs of the system, as people use them: recorded and replayed, with the status that they have natively. */
@Tag("slow")
class SystemProgramsTest {
    /** A command line for bash, and the status that it ends with. */
    private record Program(String name, String line, int status) {
        Program(String name, String line) {
            this(name, line, 0);
        }
    }

    private static final List<Program> PROGRAMS = List.of(
            new Program("true", "exec true"),
            new Program("false", "exec false", 1),
            new Program("ls", "exec ls -la /usr/bin"),
            new Program("ls-users", "ls -l / /etc | head -50"),
            new Program("cat", "exec cat /etc/passwd /proc/self/maps"),
            new Program("missing", "exec cat /nonexistent/file", 1),
            new Program("sort", "seq 20000 | sort -r | tail -3"),
            new Program("sort-parallel", "seq 300000 | sort -R --parallel=2 | sha256sum"),
            new Program("sha256sum", "exec sha256sum /bin/bash /bin/ls"),
            new Program("head-of-random", "head -c 1000 /dev/urandom | od -An -tx1 | head -3"),
            new Program("date", "date; date +%N; sleep 0.05; date +%N"),
            new Program("find", "find /etc -maxdepth 2 2>&1 | wc -l"),
            new Program("grep", "grep -c . /etc/services /etc/passwd; grep -rl root /etc/pam.d | sort | head"),
            new Program("sed-awk", "seq 100 | sed 's/1/one/g' | awk '{ n += length($0) } END { print n }'"),
            new Program("pipeline", "for i in 1 2 3; do echo $i; done | while read n; do echo $((n * n)); done | tac"),
            new Program("substitution", "x=$(date +%s); y=$(echo $RANDOM | wc -c); echo ${#x} $y $$ $BASHPID"),
            new Program("background", "(sleep 0.05; echo late) & echo early; wait; echo $?"),
            new Program("trap", "trap 'echo caught; exit 7' USR1; kill -USR1 $$; echo never", 7),
            new Program("killed", "kill -9 $$", 137),
            new Program("here-document", "cat <<< text; cat <(echo substituted)"),
            new Program("dash", "exec dash -c 'echo $0; set -- a b; echo $#; printf %s\\\\n \"$@\"'"),
            new Program("python-hello", "exec /usr/bin/python3 -c 'print(\"hello\")'"),
            new Program(
                    "python",
                    "exec python3 -c 'import json,random,os,time;print(json.dumps([random.random(),os.getpid(),time.time()]))'"),
            new Program(
                    "python-threads",
                    "exec python3 -c 'import threading as t;l=[];h=[t.Thread(target=lambda i=i:l.append(i)) for i in range(8)];"
                            + "[x.start() for x in h];[x.join() for x in h];print(sorted(l))'"),
            new Program(
                    "python-subprocess",
                    "exec python3 -c 'import subprocess as s;print(s.run([\"uname\",\"-s\"],capture_output=True).stdout)'"),
            new Program(
                    "python-timer",
                    "exec python3 -c $'import signal as s\\nn=[];d={};i=0\\ns.signal(s.SIGALRM,lambda *a:n.append((i,len(d))))\\n"
                            + "s.setitimer(s.ITIMER_REAL,.01,.01)\\nwhile len(n)<12:\\n  d[i%5000]=str(i)*3;i+=1\\n"
                            + "s.setitimer(s.ITIMER_REAL,0);print(n)'"),
            new Program("python-hash", "exec python3 -c 'print(hash(\"a\"),{str(i) for i in range(5)})'"),
            new Program(
                    "perl",
                    "exec perl -e 'my %h=map{$_=>rand}1..5;print join(\",\",map{\"$_=$h{$_}\"}keys %h),\" $$ \",time,\"\\n\"'"),
            new Program("perl-fork", "exec perl -e '$p=fork;if(!$p){exit 3}waitpid $p,0;print $?>>8,\"\\n\"'"),
            new Program("gcc", "echo 'int main(void){return 42;}' > a.c && gcc -O2 -o a a.c && ./a", 42),
            new Program(
                    "g++",
                    "echo '#include <iostream>\nint main(){std::cout<<\"hi\\n\";}' > a.cpp && g++ -o a a.cpp && ./a"),
            new Program("make", "printf 'all: a b\\na b:\\n\\t@echo $@ > $@; cat $@\\n' > Makefile; make -j2 | sort"),
            new Program(
                    "sqlite",
                    "exec sqlite3 d.db 'create table t(a,b);with recursive n(i) as (select 1 union all select i+1 from n where i<2000)"
                            + " insert into t select i,random() from n;select count(*),sum(b%2) from t;select * from t limit 3'"),
            new Program(
                    "tar-gzip",
                    "mkdir d; seq 5000 > d/f; tar czf d.tgz d; rm -r d; tar xzf d.tgz; sha256sum d/f; ls -l d"),
            new Program("gzip", "seq 100000 | gzip -c | gunzip | md5sum"),
            new Program("dd", "dd if=/dev/zero of=f bs=4096 count=100; cmp f /dev/zero; ls -l f"),
            new Program("xargs", "seq 30 | xargs -P3 -n5 echo | sort"),
            new Program("tee", "seq 10 | tee f | wc -l; cat f"),
            new Program("stdout-reopened", "seq 10 > f; cp f /dev/stdout; cat < f >> /dev/stderr"),
            new Program(
                    "sendfile-to-stdout",
                    "exec python3 -c 'import os;f=open(\"x\",\"w+b\");f.write(b\"abc\\n\"*999);f.flush();"
                            + "print(os.sendfile(1,f.fileno(),0,4000))'"),
            new Program(
                    "splice-to-stdout",
                    "exec python3 -c 'import os,time;r,w=os.pipe();os.fork() or (time.sleep(.1),os.write(w,b\"late\\n\"),"
                            + "os._exit(0));print(os.splice(r,1,100))' | cat"),
            new Program(
                    "pid-namespace",
                    "unshare -p -f sh -c 'echo $$; sleep 0.1 & wait $!; sh -c \"echo \\$\\$\"' || unshare -U -r -p -f sh -c 'echo $$'"),
            new Program(
                    "mapped-read-only",
                    "exec python3 -c 'import mmap,os;f=open(\"d\",\"w+b\");f.truncate(1<<30);m=mmap.mmap(f.fileno(),1<<30);"
                            + "g=open(\"d\",\"rb\");n=mmap.mmap(g.fileno(),0,prot=mmap.PROT_READ);m[6:8]=b\"xy\";"
                            + "f.seek(9);f.write(b\"z\");f.flush();print(n[5:11])'"),
            new Program("timeout", "timeout 0.1 sleep 5; echo $?"),
            new Program("getent", "getent passwd root; getent hosts localhost"),
            new Program("ps", "ps -o pid,comm | wc -l"),
            new Program("env", "env -i A=1 B=2 env | sort"),
            new Program("static", "ldd /bin/ls | wc -l"));

    @TestFactory
    Stream<DynamicTest> shouldReplay() {
        return PROGRAMS.stream().map(program -> DynamicTest.dynamicTest(program.name(), () -> check(program)));
    }

    private static void check(Program program) throws IOException {
        Path folder = Files.createTempDirectory("eremite-program-");
        try {
            RecordReplay.Outcome outcome = new RecordReplay(program.name())
                    .in(folder)
                    .within(Duration.ofSeconds(90))
                    .check(List.of("bash", "-c", program.line()));
            assertThat(outcome.recorded().status())
                    .as(outcome.recorded().output() + outcome.recorded().errors())
                    .isEqualTo(program.status());
        } finally {
            Folders.delete(folder);
        }
    }
}
