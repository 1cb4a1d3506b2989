//! Uploaded handlers: kept across restarts, and served from a catalogue that is swapped as a whole.
//!
//! # Layout
//!
//! - [`handler`]: one uploaded handler, ready to run
//! - [`schemas`]: what a tool's schemas ask of arguments and results
//! - [`catalogue`]: from names to handlers
//! - `changes`: which lists a change of the catalogue changes
//! - [`store`]: what survives a restart
//! - [`cache`]: compiled code that this host wrote and can verify

pub mod cache;
pub mod catalogue;
mod changes;
pub mod handler;
pub mod schemas;
pub mod store;

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use arc_swap::ArcSwap;
use tokio::sync::Mutex;

use crate::announce::Hub;
use crate::sandbox::compiler::{Compiler, CompilerError};
use crate::sandbox::describe::DescribeError;
use crate::sandbox::{Call, CompileError, Program, Sandbox};
use cache::Cache;
use catalogue::{Catalogue, Collision};
use handler::{Digest, Handler, HandlerName};
use schemas::BadSchema;
use store::{Entry, Store, StoreError};

/// All uploaded handlers.
pub struct Registry {
    sandbox: Arc<Sandbox>,
    compiler: Compiler,
    store: Store,
    cache: Cache,
    catalogue: ArcSwap<Catalogue>,
    hub: Hub,
    /// Held by whoever changes the catalogue: uploads are compiled one at a time.
    changing: Mutex<()>,
}

/// Why an upload was refused. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// It is no handler.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// What it says of itself is not well formed.
    #[error(transparent)]
    Describe(#[from] DescribeError),
    /// A schema of a tool is not well formed.
    #[error(transparent)]
    Schema(#[from] BadSchema),
    /// Another handler has what it offers.
    #[error(transparent)]
    Collision(#[from] Collision),
    /// It could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The compiler could not be run.
    #[error("the compiler could not be run; the host's log says more")]
    Compiler,
}

impl From<CompilerError> for UploadError {
    fn from(error: CompilerError) -> Self {
        match error {
            CompilerError::Refused(error) => error.into(),
            CompilerError::Process(error) => {
                tracing::error!(%error, "the process that compiles could not be run");
                Self::Compiler
            }
        }
    }
}

/// What an upload came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uploaded {
    /// There was no handler of this name.
    Created,
    /// A new revision took the old one's place.
    Replaced,
    /// The very same component was there already.
    Unchanged,
}

impl Registry {
    /// Opens the registry in the directory `data`, which is made if need be, and takes up all that was uploaded before.
    /// What is compiled is compiled by `compiler`, whose terms should be the sandbox's.
    /// What an upload or a removal changes is announced at `hub`.
    ///
    /// A handler that can't be taken up any more is left out with a word in the log; it stays in the store.
    ///
    /// # Errors
    ///
    /// When the directory or the database in it can't be used.
    pub async fn open(sandbox: Arc<Sandbox>, compiler: Compiler, hub: Hub, data: &Path) -> Result<Self, StoreError> {
        let store = Store::open(data).await?;
        let cache = Cache::open(data, &sandbox)?;
        let catalogue = ArcSwap::default();
        let registry = Self { sandbox, compiler, store, cache, catalogue, hub, changing: Mutex::new(()) };
        for entry in registry.store.entries().await? {
            let name = entry.name.clone();
            if let Err(error) = registry.take_up(entry).await {
                tracing::error!(handler = %name, %error, "this handler can't be served; upload it again or remove it");
            }
        }
        registry.cache.retain(&registry.store.digests().await?);
        Ok(registry)
    }

    /// What is served right now.
    #[must_use]
    pub fn catalogue(&self) -> arc_swap::Guard<Arc<Catalogue>> {
        self.catalogue.load()
    }

    /// Uploads `wasm` as the handler `name`. Calls under way go on with what they began with.
    ///
    /// # Errors
    ///
    /// See [`UploadError`].
    pub async fn upload(&self, name: HandlerName, wasm: Vec<u8>) -> Result<(Arc<Handler>, Uploaded), UploadError> {
        let _changing = self.changing.lock().await;
        let digest = Digest::of(&wasm);
        let served = self.catalogue.load().handler(&name).cloned();
        if let Some(same) = served.as_ref().filter(|served| served.digest == digest) {
            return Ok((Arc::clone(same), Uploaded::Unchanged));
        }
        let entry = Entry {
            revision: self.store.revision(&name).await? + 1,
            name,
            digest,
            size: wasm.len(),
            uploaded_at: SystemTime::now(),
        };
        let (compiled, program) = self.compile(&wasm).await?;
        let handler = self.describe(&entry, program).await?;
        let catalogue = self.catalogue.load().with(Arc::clone(&handler))?;
        self.store.put(&entry, &wasm).await?;
        self.cache.put(&entry.digest, &compiled);
        self.swap(catalogue);
        self.cache.retain(&self.store.digests().await?);
        Ok((handler, if served.is_some() { Uploaded::Replaced } else { Uploaded::Created }))
    }

    /// Removes a handler, and says whether there was one.
    ///
    /// # Errors
    ///
    /// When the store can't be written.
    pub async fn remove(&self, name: &HandlerName) -> Result<bool, StoreError> {
        let _changing = self.changing.lock().await;
        let found = self.store.remove(name).await?;
        if found {
            self.swap(self.catalogue.load().without(name));
            self.cache.retain(&self.store.digests().await?);
        }
        Ok(found)
    }

    /// Serves another catalogue, and says so to those who listen.
    fn swap(&self, catalogue: Catalogue) {
        let catalogue = Arc::new(catalogue);
        let before = self.catalogue.swap(Arc::clone(&catalogue));
        for change in changes::between(&before, &catalogue) {
            self.hub.announce(&change);
        }
    }

    /// Serves a handler that the store holds.
    async fn take_up(&self, entry: Entry) -> Result<(), UploadError> {
        let program = if let Some(program) = self.cache.get(&entry.digest, &self.sandbox) {
            program
        } else {
            let (compiled, program) = self.compile(&self.store.wasm(&entry.digest).await?).await?;
            self.cache.put(&entry.digest, &compiled);
            program
        };
        let handler = self.describe(&entry, program).await?;
        let catalogue = self.catalogue.load().with(handler)?;
        self.catalogue.store(Arc::new(catalogue));
        Ok(())
    }

    /// Compiles in a process of its own, and takes up the code off the threads that serve requests.
    async fn compile(&self, wasm: &[u8]) -> Result<(Vec<u8>, Program), UploadError> {
        let compiled = self.compiler.compile(wasm).await?;
        let sandbox = Arc::clone(&self.sandbox);
        let loading = tokio::task::spawn_blocking(move || {
            // SAFETY: what the compiler returned, which is this program itself, run by this one; it came by a pipe that
            // nobody else has.
            #[expect(unsafe_code, reason = "see above")]
            let program = unsafe { sandbox.load(&compiled) }?;
            Ok::<_, CompileError>((compiled, program))
        });
        match loading.await {
            Ok(loaded) => Ok(loaded?),
            Err(error) => {
                tracing::error!(%error, "compiled code was not taken up");
                Err(UploadError::Compiler)
            }
        }
    }

    async fn describe(&self, entry: &Entry, program: Program) -> Result<Arc<Handler>, UploadError> {
        let call = Call {
            handler: entry.name.clone().into(),
            target: String::new(),
            principal: None,
            progress: None,
            announcements: None,
        };
        let description = self.sandbox.describe(&program, call).await?;
        let entry = entry.clone();
        let making = tokio::task::spawn_blocking(move || Handler::new(&entry, program, description));
        match making.await {
            Ok(handler) => Ok(Arc::new(handler?)),
            Err(error) => {
                tracing::error!(%error, "the compiler of schemas failed");
                Err(UploadError::Compiler)
            }
        }
    }
}
