# Builds what the launcher runs. Sourced by ../eremite with $root set; needs list_sources of it.
#
# Each build is a folder of its own, .build/<name>, never changed after it is made: an Eremite that runs goes on with
# the one it started from. .build/current names the newest and the JDK it was built with; it is replaced by a rename.

. "$root/scripts/jdk.sh"

# Reads .build/current; true if it is a build of the present sources.
current_build() {
  version= java=
  [ -e "$root/.build/current" ] || return 1
  { read -r version; read -r java; } <"$root/.build/current"
  [ -n "$version" ] && [ -x "$java" ] && list_sources | cmp -s - "$root/.build/$version/sources"
}

# Sets version and java to a build of the present sources, making one if need be.
ensure_build() {
  local lock log reason="first use"
  mkdir -p "$root/.build" 2>/dev/null && [ -w "$root/.build" ] ||
    fail E004 "Eremite has to be built, and $root/.build cannot be written" \
      "run $root/eremite --version once as the user who owns that folder"
  exec {lock}>"$root/.build/lock"
  flock "$lock"
  # Another process may have built it while this one waited.
  if ! current_build; then
    [ -n "$version" ] && reason="sources changed"
    echo "eremite: building ($reason)…" >&2
    log=$root/.build/build.log
    exec 3>"$log"
    need_jdk
    need_maven
    build
    exec 3>&-
  fi
  exec {lock}>&-
}

build() {
  local fresh name listing
  fresh=$(mktemp -d "$root/.build/new.XXXXXX") || fail E004 "no space to build in $root/.build" "free some disk space"
  chmod 755 "$fresh"
  # Taken before the build: a file that changes meanwhile makes the next start build again.
  list_sources >"$fresh/sources"
  if ! (cd "$root" && JAVA_HOME=$jdk MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow $MAVEN_OPTS" \
    mvn -B -q -Dmaven.test.skip=true -Deremite.target=target/launcher -Deremite.warnings=-nowarn -pl cli -am package) >&3 2>&3 </dev/null \
    {lock}>&-; then
    grep -E '^\[ERROR\]' "$log" | head -5 >&2
    rm -rf "$fresh"
    fail E005 "the build failed" "see $log"
  fi
  cp -r "$root/cli/target/launcher/lib" "$fresh/lib" && mv "$fresh"/lib/cli-*.jar "$fresh/lib/eremite.jar" ||
    fail E004 "the build could not be copied to $root/.build" "free some disk space"
  # Only for speed: without it Eremite works as well.
  "$jdk/bin/java" -XX:TieredStopAtLevel=1 "$root/scripts/ModerniseClasses.java" "$fresh/lib" >&3 2>&3 </dev/null
  rm -f "$fresh"/lib/*.new
  name=$(cat "$fresh"/sources "$fresh"/lib/*.jar | sha256sum)
  name=${name:0:16}
  # The cache holds its jars' paths: train it where it will stay.
  [ -e "$root/.build/$name" ] && name=$name-$$
  mv "$fresh" "$root/.build/$name"
  version=$name java=$jdk/bin/java
  train run &
  train debug --debugging
  wait $!
  printf '%s\n%s\n' "$version" "$java" >"$root/.build/current.new"
  mv "$root/.build/current.new" "$root/.build/current"
  drop_old_builds
}

# Makes an AOT cache (JEP 514), whose name is given, from a run of real commands. Eremite works without it, only starts
# slower. Method profiles serve only the C2 compiler, which the flags switch off, and make the JIT busy at the start.
train() {
  local cache=$root/.build/$version/$1.aot data
  data=$(mktemp -d "$root/.build/training.XXXXXX") || return 0
  . "$root/scripts/flags.sh"
  EREMITE_DATA_DIR=$data timeout 60 "$java" "${flags[@]}" -XX:-AOTRecordTraining -XX:AOTCacheOutput="$cache" \
    -Deremite.training=true -jar "$root/.build/$version/lib/eremite.jar" aot-training "${@:2}" \
    >&3 2>&3 </dev/null {lock}>&- ||
    rm -f "$cache"
  rm -rf "$data" "$cache.config"
}

# Removes the builds that no running Eremite uses; the one before this one stays for those that are just starting.
drop_old_builds() {
  local folder kept=0
  for folder in $(cd "$root/.build" && ls -t -d -- */ 2>/dev/null); do
    folder=${folder%/}
    [ "$folder" = "$version" ] && continue
    kept=$((kept + 1))
    [ $kept -le 1 ] && continue
    grep -qsF "/.build/$folder/" /proc/[0-9]*/cmdline || rm -rf "$root/.build/${folder:?}"
  done
}
