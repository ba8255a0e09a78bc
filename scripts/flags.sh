# The JVM's flags, for running and for training the AOT cache alike (a cache fits only the flags it was made with).
#
# -MaxFDLimit: the JVM would raise the soft limit of open files, and guests would inherit that.
# -UsePerfData, +DisableAttachMechanism: no files in /tmp.
# -DisplayVMOutput: ^\ at the terminal is for the guest, the JVM must not print its threads among the guest's output.
# ArchiveRelocationMode=0: the AOT cache is used where it was mapped when it was made, which spares patching it.
# -AOTReplayTraining: a thread for method profiles, which the cache has none of, waits for each class that is initialised.
# SerialGC and C1 alone start fastest, and Eremite's time goes into the kernel, not into Java code.
flags=(
  -XX:+UseSerialGC -XX:TieredStopAtLevel=1
  -Xms16m -Xmx256m -Xss512k
  -XX:-MaxFDLimit -XX:-UsePerfData -XX:+DisableAttachMechanism
  -XX:+UnlockDiagnosticVMOptions -XX:-DisplayVMOutput -XX:ArchiveRelocationMode=0
  -XX:-AOTReplayTraining
  -Xlog:disable -Xlog:all=off
  --sun-misc-unsafe-memory-access=allow
  -Dchronicle.analytics.disable=true -Dchronicle.disk.monitor.disable=true
  -Dio.netty.noUnsafe=false -Dio.netty.leakDetection.level=disabled
  -Djava.awt.headless=true
)
