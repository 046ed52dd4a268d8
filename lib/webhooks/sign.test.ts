import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { newSecret, signedHeaders } from "./sign.ts";

it("signs as the example of Standard Webhooks", () => {
  const headers = signedHeaders("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}', [
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  ]);
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

it("signs with each secret", () => {
  const secrets = [newSecret(), newSecret()];
  const signatures = signedHeaders("a", 1, "{}", secrets)["webhook-signature"]?.split(" ");
  expect(signatures).toEqual(
    secrets.map((secret) => {
      const key = Buffer.from(secret.replace("whsec_", ""), "base64");
      expect(key).toHaveLength(32);
      return `v1,${createHmac("sha256", key).update("a.1.{}").digest("base64")}`;
    }),
  );
});
