import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string[];
  /** With headers; soft line breaks of quoted-printable are joined. */
  text: string;
}

/** Receives mail on a loopback port. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  /** `refused`: answers 550 to recipients; `busy`: 451. */
  const state = { mode: "ok" as "ok" | "refused" | "busy" };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, done) {
      const codes = { ok: 0, refused: 550, busy: 451 };
      const responseCode = codes[state.mode];
      done(responseCode === 0 ? null : Object.assign(new Error("no"), { responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "").replaceAll("=3D", "=");
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return { mails, state, url, close: () => new Promise<void>((resolve) => void server.close(resolve)) };
}
