// A provider of OpenID Connect for the tests: oidc-provider with people from a file that the test may change.
//
//   node provider.mjs PORT CALLBACK PEOPLE
//
// PEOPLE is a JSON file of {login: claims}. Its page to sign in is oidc-provider's own for development: any password.
import { readFileSync } from "node:fs";
import { Provider } from "oidc-provider";

const [port, callback, people] = process.argv.slice(2);
const issuer = `http://localhost:${port}`;

const provider = new Provider(issuer, {
  clients: [{
    client_id: "routecard",
    client_secret: "a-secret-of-the-shop",
    redirect_uris: callback.split(","),
  }],
  claims: { openid: ["sub"], profile: ["name", "preferred_username", "groups"] },
  scopes: ["openid", "profile"],
  pkce: { required: () => true },
  cookies: { keys: ["for tests only"] },
  features: { devInteractions: { enabled: true } },
  findAccount(_ctx, id) {
    const known = JSON.parse(readFileSync(people, "utf8"))[id];
    return known && { accountId: id, claims: () => ({ sub: id, ...known }) };
  },
  // Nobody is asked whether the shop may know their name.
  async loadExistingGrant(ctx) {
    const { client, session } = ctx.oidc;
    const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope("openid profile");
    await grant.save();
    return grant;
  },
});
provider.listen(Number(port), "localhost", () => console.log(`listening on ${issuer}`));
