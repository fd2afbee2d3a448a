// GitHub's official clients against the stand-in: reads one JSON request from standard input, prints what they saw.
import { readFileSync } from "node:fs";
import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";
import { sign, verify } from "@octokit/webhooks-methods";

const given = JSON.parse(readFileSync(0, "utf8"));

async function checkRun() {
  const app = new App({
    appId: given.appId,
    privateKey: given.privateKey,
    Octokit: Octokit.defaults({ baseUrl: given.apiUrl }),
    webhooks: { secret: "unused" },
  });
  const { data: installation } = await app.octokit.request("GET /repos/{owner}/{repo}/installation", given.repository);
  const octokit = await app.getInstallationOctokit(installation.id);
  const created = await octokit.request("POST /repos/{owner}/{repo}/check-runs", {
    ...given.repository, name: "Second judge", head_sha: given.headSha, status: "in_progress",
  });
  const updated = await octokit.request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
    ...given.repository, check_run_id: created.data.id, conclusion: "neutral",
    output: { title: "Seen", summary: "By Octokit." },
  });
  const repositories = [];
  for await (const { repository } of app.eachRepository.iterator()) repositories.push(repository.full_name);
  return { status: updated.data.status, conclusion: updated.data.conclusion, repositories };
}

async function signatures() {
  return {
    signed: await sign(given.secret, given.body),
    verified: await verify(given.secret, given.body, given.signature),
    forged: await verify(given.secret, given.body + " ", given.signature),
  };
}

console.log(JSON.stringify(given.task === "checkRun" ? await checkRun() : await signatures()));
