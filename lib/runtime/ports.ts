import { type AddressInfo, createServer } from "node:net";
import { OperatorError } from "./terminal.ts";

/**
 * Checks that the server can listen on a port, before slow preparations.
 * @param port 0 for any free port
 * @throws OperatorError when the server cannot listen
 */
export async function probePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once("error", reject).listen({ host, port }, resolve));
  } catch (error) {
    throw new OperatorError(listenFailure(error as NodeJS.ErrnoException, host, port));
  }
  const found = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
  return found;
}

export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is taken: stop the program that uses it, or set PORT to another.`;
  if (error.code === "EACCES")
    return `Port ${port} requires privileges that this user lacks: set PORT to a number above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return `HOST ${host} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all addresses.`;
  }
  return `The web server cannot listen on ${host}, port ${port}: ${error.message}.`;
}
