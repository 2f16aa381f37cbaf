import { expect, test } from "vitest";
import { reasonOf, remoteFailure } from "./git-errors.ts";

/** Output of git 2.39, OpenSSH 9.2 and documented messages of hosts. */
const outputs: readonly (readonly [stderr: string, stdout: string, code: string, reason: string])[] = [
  [
    [
      "root@host: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\n",
      "Please make sure you have the correct access rights\nand the repository exists.\n",
    ].join(""),
    "",
    "share-login",
    "root@host: Permission denied (publickey).",
  ],
  [
    [
      "@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@@@@@\nIT IS POSSIBLE …\n",
      "Host key verification failed.\nfatal: Could not read from remote repository.\n",
    ].join(""),
    "",
    "share-login",
    "Host key verification failed.",
  ],
  [
    [
      "ssh: Could not resolve hostname nowhere.invalid: Name or service not known\n",
      "fatal: Could not read from remote repository.\n",
    ].join(""),
    "",
    "share-unreachable",
    "ssh: Could not resolve hostname nowhere.invalid: Name or service not known",
  ],
  [
    "ERROR: Repository not found.\nfatal: Could not read from remote repository.\n",
    "",
    "share-unreachable",
    "ERROR: Repository not found.",
  ],
  [
    [
      "remote: Permission to o/r.git denied to ada.\n",
      "fatal: unable to access 'https://ada:token@host/o/r.git/': The requested URL returned error: 403\n",
    ].join(""),
    "",
    "share-declined",
    [
      "unable to access 'https://host/o/r.git/': The requested URL returned error: 403: Permission to ",
      "o/r.git denied to ada.",
    ].join(""),
  ],
  [
    "ERROR: Permission to o/r.git denied to deploy key\nfatal: Could not read from remote repository.\n",
    "",
    "share-declined",
    "ERROR: Permission to o/r.git denied to deploy key",
  ],
  [
    [
      "Enumerating objects: 3, done.\nWriting objects: 100% (3/3), 1.50 KiB | 1.50 MiB/s, done.\n",
      "Total 3 (delta 0), reused 0 (delta 0), pack-reused 0\n",
      "remote: Resolving deltas: 100% (2/2), done.        \n",
      "remote: GitLab: You are not allowed to push        \nremote: here.        \nremote: Ask.        \n",
      "error: failed to push some refs to 'x'\n",
    ].join(""),
    "To x\n!\tHEAD:refs/perfkeep/data/v1\t[remote rejected] (pre-receive hook declined)\nDone\n",
    "share-declined",
    "pre-receive hook declined: GitLab: You are not allowed to push: here.",
  ],
  [
    [
      "remote: fatal: write error: No space left on device        \n",
      "error: remote unpack failed: index-pack abnormal exit\nerror: failed to push some refs to 'x'\n",
    ].join(""),
    "!\tHEAD:refs/perfkeep/data/v1\t[remote rejected] (unpacker error)\n",
    "share-failed",
    "unpacker error: write error: No space left on device",
  ],
  [
    [
      "error: remote unpack failed: unable to create temporary object directory\n",
      "error: failed to push some refs to 'x'\n",
    ].join(""),
    "!\tHEAD:refs/perfkeep/data/v1\t[remote rejected] (unpacker error)\n",
    "share-failed",
    "unpacker error: remote unpack failed: unable to create temporary object directory",
  ],
  [
    [
      "remote: Enumerating objects: 3, done.        \rremote: Counting objects: 33% (1/3)        \n",
      "error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF\n",
      "fatal: unpack-objects failed\n",
    ].join(""),
    "",
    "share-failed",
    "RPC failed; curl 18 transfer closed with outstanding read data remaining",
  ],
  [
    "send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly\n",
    "Done\n",
    "share-failed",
    "send-pack: unexpected disconnect while reading sideband packet",
  ],
  ["fatal: the remote end hung up unexpectedly\n", "", "share-failed", "the remote end hung up unexpectedly"],
  [
    [
      "fatal: detected dubious ownership in repository at '/srv/r.git'\n",
      "To add an exception for this directory, call:\n\n",
      "\tgit config --global --add safe.directory /srv/r.git\n",
      "fatal: Could not read from remote repository.\n",
    ].join(""),
    "",
    "share-unsafe",
    "detected dubious ownership in repository at '/srv/r.git'",
  ],
  ["", "", "share-failed", "git ended with status 128"],
  [
    [
      "remote: fatal: pack exceeds maximum allowed size        \n",
      "error: remote unpack failed: unpack-objects abnormal exit\n",
    ].join(""),
    "!\tHEAD:refs/perfkeep/data/v1\t[remote rejected] (unpacker error)\n",
    "share-too-large",
    "unpacker error: pack exceeds maximum allowed size",
  ],
  [
    "fatal: unable to access 'https://host/x/': SSL certificate problem: unable to get local issuer certificate\n",
    "",
    "share-certificate",
    "unable to access 'https://host/x/': SSL certificate problem: unable to get local issuer certificate",
  ],
  [
    "fatal: unable to access 'https://host/x/': Received HTTP code 407 from proxy after CONNECT\n",
    "",
    "share-proxy",
    "unable to access 'https://host/x/': Received HTTP code 407 from proxy after CONNECT",
  ],
  [
    [
      "12:00:00.000001 run-command.c:655 trace: run_command: GIT_DIR=x git remote-https ",
      "https://ada:se/cret@host/x\n",
      "fatal: unable to access 'https://ada:se/cret@host/x/': Could not resolve host: host\n",
    ].join(""),
    "",
    "share-unreachable",
    "unable to access 'https://host/x/': Could not resolve host: host",
  ],
];

test.each(outputs)("%j", (stderr, stdout, code, reason) => {
  const failure = remoteFailure({ action: "push to", remote: "origin" }, { status: 128, stderr, stdout });
  expect([failure.code, failure.data["reason"]]).toEqual([code, reason]);
  expect(failure.message).toContain("cannot push to origin");
});

test("messages of the remote do not affect the code, and are truncated", () => {
  const failure = remoteFailure(
    { action: "push to", remote: "origin" },
    { status: 1, stderr: `remote: Authentication failed\nremote: ${"x".repeat(5000)}\nfatal: protocol error\n` },
  );
  expect([failure.code, failure.data["reason"]]).toEqual(["share-failed", "protocol error"]);
  expect(reasonOf({ status: 1, stderr: `fatal: ${"x".repeat(5000)}` })).toHaveLength(300);
});
