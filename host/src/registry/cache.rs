//! Compiled code that this host wrote and can verify, so that a restart needs no compiler.
//!
//! Compiled code runs as it stands, so none is loaded but what carries a MAC of this data directory's key, over the code,
//! the component's digest, and what else it depends on. Anything else is as good as not there.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::handler::Digest;
use super::store::StoreError;
use crate::sandbox::{Program, Sandbox};

const MAC: usize = 32;

/// The directory of compiled code.
pub struct Cache {
    directory: PathBuf,
    /// HMAC-SHA256 with this directory's key.
    keyed: Hmac<Sha256>,
    compatibility: u64,
}

impl Cache {
    /// Opens the cache in the directory `data`, and makes its key if need be.
    pub(super) fn open(data: &Path, sandbox: &Sandbox) -> Result<Self, StoreError> {
        let directory = data.join("compiled");
        let failed = |error| StoreError::Directory { path: directory.clone(), error };
        fs::create_dir_all(&directory).map_err(failed)?;
        let path = directory.join("key");
        let key = if let Some(key) = read_key(&path).map_err(failed)? {
            key
        } else {
            let mut key = [0; 32];
            getrandom::fill(&mut key)?;
            write_new(&path, &[&key]).map_err(failed)?;
            key
        };
        let keyed = Hmac::new_from_slice(&key).map_err(|error| failed(io::Error::other(error)))?;
        Ok(Self { directory, keyed, compatibility: sandbox.compatibility() })
    }

    /// Takes up a component's compiled code, if there is any that can be trusted.
    pub(super) fn get(&self, digest: &Digest, sandbox: &Sandbox) -> Option<Program> {
        let path = self.path(digest);
        let bytes = fs::read(&path).ok()?;
        let (mac, compiled) = bytes.split_at_checked(MAC)?;
        if self.mac(digest, compiled).verify_slice(mac).is_err() {
            tracing::warn!(path = %path.display(), "compiled code was changed, or not written by this host; compiling anew");
            return None;
        }
        // SAFETY: the MAC says that this host wrote these bytes after it compiled them.
        #[expect(unsafe_code, reason = "see above")]
        match unsafe { sandbox.load(compiled) } {
            Ok(program) => Some(program),
            Err(error) => {
                tracing::info!(path = %path.display(), %error, "compiled code is out of date; compiling anew");
                None
            }
        }
    }

    /// Keeps a component's compiled code. Where that fails the next start compiles, so it is no error.
    pub(super) fn put(&self, digest: &Digest, compiled: &[u8]) {
        let path = self.path(digest);
        let mac = self.mac(digest, compiled).finalize().into_bytes();
        // Written aside and renamed, so that a crash leaves no half file; the MAC would find one out, too.
        let aside = path.with_extension("new");
        let _stale = fs::remove_file(&aside);
        let written = write_new(&aside, &[&mac, compiled]).and_then(|()| fs::rename(&aside, &path));
        if let Err(error) = written {
            tracing::warn!(path = %path.display(), %error, "compiled code was not kept; the next start compiles again");
        }
    }

    /// Drops everything but what belongs to `digests`.
    pub(super) fn retain(&self, digests: &HashSet<Digest>) {
        let kept: HashSet<PathBuf> =
            digests.iter().map(|digest| self.path(digest)).chain([self.directory.join("key")]).collect();
        let files = fs::read_dir(&self.directory).into_iter().flatten().flatten().map(|file| file.path());
        for stale in files.filter(|path| !kept.contains(path)) {
            if let Err(error) = fs::remove_file(&stale) {
                tracing::warn!(path = %stale.display(), %error, "stale compiled code was not removed");
            }
        }
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.directory.join(format!("{}-{:016x}.cwasm", digest.hex(), self.compatibility))
    }

    fn mac(&self, digest: &Digest, compiled: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.keyed.clone();
        mac.update(digest.as_ref().as_bytes());
        mac.update(&self.compatibility.to_le_bytes());
        mac.update(compiled);
        mac
    }
}

fn read_key(path: &Path) -> io::Result<Option<[u8; 32]>> {
    match fs::read(path) {
        Ok(bytes) => bytes.try_into().map(Some).map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: not 32 bytes; remove it", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file that must not be there yet, for this user alone.
fn write_new(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.sync_all()
}
