import { connect, createServer } from "node:net";
import { TLSSocket } from "node:tls";
import { addressThrough, listen } from "./listen.ts";

/* Certificates for localhost and 127.0.0.1, valid until 2120, for tests only. Base64 of DER. */

const KEY =
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoLrgz9lsSrQ9Lr7ES7Bk+dwu0j9WHkOyQNF20qaiAFahRANCAAQz" +
  "gQQj3JsGJobFpQNPVfdvp7My2AlXgKHLEStkRsAbNFgGzco/q/5kMURu9FZEabckOPvQVJLHKGXEjOIkrYg9";
const CERTIFICATE =
  "MIIBgzCCASmgAwIBAgIBAjAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVTbHVpY2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAw" +
  "MDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDOBBCPc" +
  "mwYmhsWlA09V92+nszLYCVeAocsRK2RGwBs0WAbNyj+r/mQxRG70VkRptyQ4+9BUkscoZcSM4iStiD2jXjBcMBoGA1UdEQQTMBGC" +
  "CWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUOmLgXCTCA7EaT9sZOPlg/Eo7B5IwHwYDVR0jBBgwFoAUKB4tHYGhX7STWcUoAzmb" +
  "1lJAjSQwCgYIKoZIzj0EAwIDSAAwRQIgKrFER7GU/l6YlKcmNXHgp/WS6n1tPgg6KWp4g7FTBO0CIQCnWArZhmlcNaRLT2mXtufH" +
  "69ozahOEmWHXn48Qj67DvA==";
const AUTHORITY =
  "MIIBYjCCAQmgAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVTbHVpY2UgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAw" +
  "MDAwWhgPMjEyMDAxMDEwMDAwMDBaMCAxHjAcBgNVBAMMFVNsdWljZSB0ZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49" +
  "AwEHA0IABLttLsFat89gTGTm+QvEqZRqEkjd/2Bxt7zUjW5T2/b2aACrBO2ucruLZntTViwEInewnxToy/SCiuA9aPkka1WjMjAw" +
  "MA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFCgeLR2BoV+0k1nFKAM5m9ZSQI0kMAoGCCqGSM49BAMCA0cAMEQCIFKVtML4ejQ1" +
  "baZdgSvbU/X2ouSup5h8A7xtGVj6FMxIAiBeFIvPg0XqklXmaZArCCI9DvP/SzkKCpeS2MThlqJaWQ==";

function pem(kind: string, base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n");
}

/** The certificate of the private authority that signed the server's. */
export const privateAuthority = pem("CERTIFICATE", AUTHORITY);

export type TlsDatabase = { url: string; close: () => Promise<void> };

/** A proxy through which the database is reached with TLS only. */
export async function startTlsDatabase(databaseUrl: string): Promise<TlsDatabase> {
  const target = new URL(databaseUrl);
  const listener = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (request) => {
      const asksForTls = request.length === 8 && request.readInt32BE(4) === 80_877_103;
      if (!asksForTls) return void socket.destroy();
      socket.write("S");
      const secure = new TLSSocket(socket, {
        isServer: true,
        key: pem("PRIVATE KEY", KEY),
        cert: pem("CERTIFICATE", CERTIFICATE) + privateAuthority,
      });
      const server = connect(Number(target.port), target.hostname);
      for (const end of [secure, server]) {
        end.on("error", () => undefined);
        end.on("close", () => (socket.destroy(), server.destroy()));
      }
      secure.pipe(server).pipe(secure);
    });
  });
  const { port, close } = await listen(listener);
  return { url: addressThrough(databaseUrl, port), close };
}
