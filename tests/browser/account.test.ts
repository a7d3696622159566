import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page, test } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { type OidcServer, startOidcServer } from "../support/oidc-server.ts";
import { TestServer } from "./test-server.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const admin = { email: "ada@example.com", password: "correct horse battery" };

let server: TestServer;
let oidc: OidcServer;
/** By a name: passkeys belong to one. */
let home: string;

test.beforeAll(async () => {
  oidc = await startOidcServer();
  server = await TestServer.start({
    TOOLTHREAD_AUTH: "",
    TOOLTHREAD_ADMIN_EMAIL: admin.email,
    TOOLTHREAD_ADMIN_PASSWORD: admin.password,
    TOOLTHREAD_OIDC_ISSUER: oidc.issuer,
    TOOLTHREAD_OIDC_CLIENT_ID: oidc.clientId,
    TOOLTHREAD_OIDC_CLIENT_SECRET: oidc.clientSecret,
    TOOLTHREAD_OIDC_NAME: "Example ID",
  });
  home = `http://localhost:${server.port}`;
  oidc.admit(`${home}/api/auth/oidc/callback`);
});

test.afterAll(async () => {
  await server.stop();
  await oidc.close();
});

test.setTimeout(90_000);

async function signIn(page: Page): Promise<void> {
  await page.goto(`${home}/sign-in?next=/account`);
  await page.getByLabel("E-mail address").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${home}/account`);
}

/** A device that holds passkeys and says that its owner has shown their finger. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verify = (isUserVerified: boolean) =>
    cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  return { verify };
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

test("passkeys: added, named, signed in with, refused without its owner, removed", async ({
  page,
}) => {
  const device = await addAuthenticator(page);
  await signIn(page);
  await page.getByLabel("Name of the new passkey").fill("work");
  await page.getByRole("button", { name: "Add a passkey…" }).click();
  const row = page.locator("[data-passkey]");
  await expect(row).toContainText("never used");
  await row.getByRole("button", { name: "Rename work" }).click();
  await row.getByLabel("New name of work").fill("work laptop");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("work laptop");
  await page.getByLabel("Name of the new passkey").fill("again");
  await page.getByRole("button", { name: "Add a passkey…" }).click();
  await expect(page.getByText("has a passkey of yours")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 844 });

  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(`${home}/sign-in?next=/account`);
  await expectAccessible(page);
  await device.verify(false);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: /cancelled|took too long/ }),
  ).toBeVisible();
  await device.verify(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${home}/account`);
  await expect(row).toContainText("used");
  await expect(row).not.toContainText("never");

  await row.getByRole("button", { name: "Remove work laptop" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("does not sign you in here")).toBeVisible();

  await signIn(page);
  await page.goto(`${home}/audit?action=identity.passkey_added`);
  await expect(page.locator("[data-audit]")).toContainText("name work");
});

test("single sign-on: refused to a stranger, connected, and its session ended from elsewhere", async ({
  page,
  browser,
}) => {
  oidc.signInAs({ sub: "ada", email: admin.email, email_verified: true, name: "Ada" });
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(`${home}/tasks?status=failed`);
  await other.getByRole("button", { name: "Sign in with Example ID" }).click();
  await expect(other.getByText("signs in here already")).toBeVisible();
  await expectAccessible(other);

  await signIn(page);
  await page.getByRole("button", { name: "Connect Example ID" }).click();
  await expect(page.getByText("You can sign in with Example ID.")).toBeVisible();

  await other.getByRole("button", { name: "Sign in with Example ID" }).click();
  await expect(other).toHaveURL(/\/tasks\?status=failed$/);
  await expect(other.locator("[data-connection=live]:visible")).toBeVisible();

  await page.reload();
  await expect(page.locator("[data-session=this]")).toContainText("Chrome on Linux");
  await page.getByRole("button", { name: "End all other sessions" }).click();
  await expect(page.getByText(/sessions? ended\./)).toBeVisible();
  await expect(page.locator("[data-session]")).toHaveCount(1);
  // At once: its page is open, and nobody touches it.
  await expect(other).toHaveURL(/\/sign-in/);
  await context.close();
});
