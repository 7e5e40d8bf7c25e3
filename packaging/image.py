#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a container image FROM scratch with the bundle: image.py BUNDLE FOLDER

One tar file that is an OCI image layout (podman load, skopeo copy oci-archive:FILE) and also
has the manifest.json of older versions of 'docker load'. It needs no daemon, registry or base
image.
"""

import datetime
import hashlib
import json
import pathlib
import sys

import artifact
from artifact import Entry

CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
TYPE = "application/vnd.oci.image."


def files_of_layer(bundle):
    files = {f"opt/sibyl/{name}": entry
             for name, entry in artifact.as_package(bundle, "image").items()}
    files["etc/passwd"] = Entry(b"root:x:0:0::/root:/\nnobody:x:65534:65534::/:/\n")
    files["etc/group"] = Entry(b"root:x:0:\nnogroup:x:65534:\n")
    # Any user that --user names may write there.
    files["tmp"] = files["home"] = Entry(None, 0o1777)
    files["work"] = Entry(None, 0o755)
    certificates = pathlib.Path("/") / CERTIFICATES
    if not certificates.exists():
        artifact.fail(f"{certificates} is missing; install the package ca-certificates")
    files[CERTIFICATES] = Entry(certificates.read_bytes())
    return files


def configuration(version, created, layer):
    name = artifact.registry_name()
    return {
        "created": created,
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "Entrypoint": ["/opt/sibyl/bin/sibyl"],
            "Cmd": ["help"],
            "Env": ["PATH=/opt/sibyl/bin", "HOME=/home"],
            "WorkingDir": "/work",
            "Labels": {"org.opencontainers.image.title": "sibyl",
                       "org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "Apache-2.0",
                       **({"io.modelcontextprotocol.server.name": name} if name else {})},
        },
        "rootfs": {"type": "layers", "diff_ids": [digest_of(layer)]},
        "history": [{"created": created, "created_by": "packaging/image.py"}],
    }


def digest_of(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def as_json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def blob_name(data):
    return "blobs/" + digest_of(data).replace(":", "/")


def described(kind, data, **more):
    return {"mediaType": TYPE + kind, "digest": digest_of(data), "size": len(data), **more}


def layout(version, bundle, time):
    """The files of the image layout."""
    layer = artifact.tar(files_of_layer(bundle), time)
    packed = artifact.compress(layer)
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    config = as_json(configuration(version, created.strftime("%Y-%m-%dT%H:%M:%SZ"), layer))
    manifest = as_json({"schemaVersion": 2, "mediaType": TYPE + "manifest.v1+json",
                        "config": described("config.v1+json", config),
                        "layers": [described("layer.v1.tar+gzip", packed)]})
    name = f"sibyl:{version}"
    index = {"schemaVersion": 2, "mediaType": TYPE + "index.v1+json",
             "manifests": [described("manifest.v1+json", manifest,
                                     platform={"architecture": "amd64", "os": "linux"},
                                     annotations={"org.opencontainers.image.ref.name": version,
                                                  "io.containerd.image.name":
                                                      f"docker.io/library/{name}"})]}
    files = {blob_name(data): Entry(data) for data in [packed, config, manifest]}
    files["oci-layout"] = Entry(as_json({"imageLayoutVersion": "1.0.0"}))
    files["index.json"] = Entry(as_json(index))
    files["manifest.json"] = Entry(as_json([{"Config": blob_name(config), "RepoTags": [name],
                                             "Layers": [blob_name(packed)]}]))
    return files


def main():
    if len(sys.argv) != 3:
        artifact.fail("usage: image.py BUNDLE FOLDER")
    version, bundle = artifact.read_bundle(sys.argv[1])
    time = artifact.epoch()
    artifact.write(pathlib.Path(sys.argv[2]) / f"sibyl-{version}-oci.tar",
                   artifact.tar(layout(version, bundle, time), time))


if __name__ == "__main__":
    main()
