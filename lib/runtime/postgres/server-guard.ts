import { type ChildProcess, spawn } from "node:child_process";

/**
 * A shell that stops the server when this process is killed, which closes the pipe between them. Until the server
 * has ended, it keeps up the heartbeat of the data folder.
 * @param beating the record of the data folder's holder
 */
export function watchOver(server: ChildProcess, pidFile: string, beating: string): ChildProcess | null {
  if (process.platform === "win32") return null;
  // A starting server writes its id late, hence the second look.
  const script = `
    cat > /dev/null
    runs() { [ "$(head -n 1 "$1" 2> /dev/null)" = "$2" ] && kill -0 "$2" 2> /dev/null; }
    runs "$1" "$2" || sleep 1
    runs "$1" "$2" && kill -INT "$2" && kill -CONT "$2"
    while runs "$1" "$2"; do touch -c "$3"; sleep 1; done`;
  const parameters = ["-c", script, "sluice-database-guard", pidFile, String(server.pid), beating];
  const guard = spawn("/bin/sh", parameters, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return guard;
}

export function dismiss(guard: ChildProcess | null): void {
  // Before the pipe, whose end would make the shell act.
  guard?.kill("SIGKILL");
  guard?.stdin?.destroy();
}
