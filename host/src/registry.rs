//! Uploaded handlers: kept across restarts, and served from a catalogue that is swapped as a whole.
//!
//! # Layout
//!
//! - `error`: why what is served was not changed
//! - [`handler`]: one uploaded handler, ready to run
//! - [`schemas`]: what a tool's schemas ask of arguments and results
//! - [`catalogue`]: from names to handlers
//! - [`pinned`]: a replaced revision that conversations may still need
//! - `changes`: which lists a change of the catalogue changes
//! - [`store`]: what survives a restart
//! - [`cache`]: compiled code that this host wrote and can verify

pub mod cache;
pub mod catalogue;
mod changes;
mod error;
pub mod handler;
pub mod pinned;
pub mod schemas;
pub mod store;

pub use error::{RollbackError, UploadError};

use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use arc_swap::ArcSwap;
use tokio::sync::Mutex;

use crate::announce::Hub;
use crate::sandbox::capacity::Capacity;
use crate::sandbox::compiler::Compiler;
use crate::sandbox::describe::Description;
use crate::sandbox::{Call, CompileError, Program, Sandbox};
use cache::Cache;
use catalogue::Catalogue;
use handler::{Digest, Handler, HandlerName};
use pinned::{Pinned, Retention};
use store::{Entry, Store, StoreError};

/// All uploaded handlers.
pub struct Registry {
    sandbox: Arc<Sandbox>,
    compiler: Compiler,
    store: Store,
    cache: Cache,
    catalogue: ArcSwap<Catalogue>,
    retention: Retention,
    hub: Hub,
    /// Held by whoever changes the store and the catalogue.
    changing: Arc<Mutex<()>>,
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

/// How often replaced revisions are looked through, at most.
const TENDING: Duration = Duration::from_mins(1);

impl Registry {
    /// Opens the registry in the directory `data`, which is made if need be, and takes up all that was uploaded before.
    /// What is compiled is compiled by `compiler`. What an upload or a removal changes is
    /// announced at `hub`. Replaced revisions are held for `retention`.
    ///
    /// A handler that can't be taken up any more is left out with a word in the log; it stays in the store.
    ///
    /// # Errors
    ///
    /// When the directory or the database in it can't be used.
    pub async fn open(
        sandbox: Arc<Sandbox>,
        compiler: Compiler,
        hub: Hub,
        data: &Path,
        retention: Retention,
    ) -> Result<Arc<Self>, StoreError> {
        let store = Store::open(data).await?;
        let cache = Cache::open(data, &sandbox)?;
        let catalogue = ArcSwap::default();
        let changing = Arc::default();
        let registry = Arc::new(Self { sandbox, compiler, store, cache, catalogue, retention, hub, changing });
        let now = SystemTime::now();
        registry.store.prune(retention.keep, now).await?;
        let needed = registry.store.entries().await?.into_iter();
        let needed = needed.filter(|entry| entry.needed_until.is_none_or(|until| until >= now));
        // All at once, on all cores.
        let taking: Vec<_> = needed
            .map(|entry| {
                let registry = Arc::clone(&registry);
                tokio::spawn(async move { (registry.take_up(&entry).await, entry) })
            })
            .collect();
        let (mut served, mut pinned) = (Vec::new(), Vec::new());
        for taken in taking {
            match taken.await {
                Ok((Ok(handler), Entry { needed_until: None, .. })) => served.push(handler),
                Ok((Ok(handler), Entry { needed_until: Some(until), .. })) => {
                    pinned.push(Arc::new(Pinned::new(handler, until)));
                }
                Ok((Err(error), entry)) => left_out(&entry.name, entry.revision, &error),
                Err(error) => tracing::error!(%error, "a handler was not taken up"),
            }
        }
        let refused = |handler: Arc<Handler>, collision| left_out(&handler.name, handler.revision, &collision);
        registry.catalogue.store(Arc::new(Catalogue::of(served, pinned, refused)));
        registry.cache.retain(&registry.store.digests().await?);
        Ok(registry)
    }

    /// What is served right now.
    #[must_use]
    pub fn catalogue(&self) -> arc_swap::Guard<Arc<Catalogue>> {
        self.catalogue.load()
    }

    /// Uploads `wasm` as the handler `name`. Calls under way go on with what they began with, and so do conversations.
    ///
    /// # Errors
    ///
    /// See [`UploadError`].
    pub async fn upload(
        self: &Arc<Self>,
        name: HandlerName,
        wasm: Vec<u8>,
    ) -> Result<(Arc<Handler>, Uploaded), UploadError> {
        let digest = Digest::of(&wasm);
        if let Some(same) = self.serving(&name, &digest) {
            return Ok((same, Uploaded::Unchanged));
        }
        let (compiled, program) = self.compile(&name, &wasm).await?;
        let description = self.describe(&name, &program).await?;
        let fresh = Fresh { name, digest, wasm, compiled, program, description };
        self.undisturbed(async move |registry| registry.serve(fresh).await).await.ok_or(UploadError::Compiler)?
    }

    /// Serves the component of an earlier revision again, as a new revision: `revision`, or the one before the one that is
    /// served.
    ///
    /// # Errors
    ///
    /// See [`RollbackError`]. Nothing has changed then.
    pub async fn rollback(
        self: &Arc<Self>,
        name: HandlerName,
        revision: Option<i64>,
    ) -> Result<Arc<Handler>, RollbackError> {
        let revisions = self.revisions(&name).await?;
        let Some(served) = revisions.first() else { return Err(RollbackError::NoHandler(name)) };
        let earlier = revisions.iter().find(|entry| match revision {
            Some(revision) => entry.revision == revision,
            None => entry.digest != served.digest,
        });
        let Some(earlier) = earlier else {
            let wanted = revision.map_or_else(|| "earlier".to_owned(), |revision| revision.to_string());
            let held: Vec<_> = revisions.iter().map(|entry| entry.revision.to_string()).collect();
            return Err(RollbackError::NoRevision { name, wanted, held: held.join(", ") });
        };
        let wasm = self.store.wasm(&earlier.digest).await?;
        Ok(self.upload(name, wasm).await?.0)
    }

    /// The revisions of a handler that are held, the newest first.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub async fn revisions(&self, name: &HandlerName) -> Result<Vec<Entry>, StoreError> {
        let entries = self.store.entries().await?;
        Ok(entries.into_iter().filter(|entry| entry.name == *name).collect())
    }

    /// Removes a handler with all its revisions, and says whether there was one. Its conversations end.
    ///
    /// # Errors
    ///
    /// When the store can't be written.
    pub async fn remove(self: &Arc<Self>, name: &HandlerName) -> Result<bool, StoreError> {
        let name = name.clone();
        let removed = self.undisturbed(async move |registry| {
            let found = registry.store.remove(&name).await?;
            if found {
                registry.swap(registry.catalogue.load().without(&name));
                registry.cache.retain(&registry.store.digests().await?);
            }
            Ok(found)
        });
        removed.await.unwrap_or(Ok(false))
    }

    /// Notes that a token was issued at `now` which only this handler can go on with. Must be done before the token goes
    /// out; costs nothing but for replaced revisions.
    pub async fn issued(&self, handler: &Handler, now: SystemTime) {
        let catalogue = self.catalogue.load();
        let Some(pinned) = catalogue.pinned(handler.digest.as_ref()) else { return };
        let Some(until) = pinned.prolonged(&self.retention, now) else { return };
        let pinned = Arc::clone(pinned);
        drop(catalogue);
        pinned.hold(until);
        let Handler { name, revision, .. } = &*pinned.handler;
        if let Err(error) = self.store.prolong(name, *revision, until).await {
            tracing::error!(handler = %name, revision, %error, "a restart may break a conversation of this revision");
        }
    }

    /// Drops replaced revisions once no token can need them, as long as the registry lives.
    pub async fn tend(registry: Weak<Self>) {
        while let Some(registry) = registry.upgrade() {
            if let Err(error) = registry.prune(SystemTime::now()).await {
                tracing::error!(%error, "replaced revisions were not dropped");
            }
            let pause = registry.retention.token.clamp(Duration::from_millis(100), TENDING);
            drop(registry);
            tokio::time::sleep(pause).await;
        }
    }

    async fn prune(&self, now: SystemTime) -> Result<(), StoreError> {
        if !self.catalogue.load().all_pinned().any(|pinned| pinned.is_over(now)) {
            return Ok(());
        }
        let _changing = self.changing.lock().await;
        self.store.prune(self.retention.keep, now).await?;
        // No list of what is served changes, so nothing is announced.
        self.catalogue.store(Arc::new(self.catalogue.load().pruned(now)));
        self.cache.retain(&self.store.digests().await?);
        Ok(())
    }

    /// Changes the store and the catalogue while nobody else does, in a task of its own: who hangs up meanwhile leaves no half
    /// of a change. Nothing is returned when the task failed.
    async fn undisturbed<F, C, T>(self: &Arc<Self>, change: C) -> Option<T>
    where
        C: FnOnce(Arc<Self>) -> F + Send + 'static,
        F: Future<Output = T> + Send + 'static,
        T: Send + 'static,
    {
        let changing = Arc::clone(&self.changing).lock_owned().await;
        let registry = Arc::clone(self);
        let changed = tokio::spawn(async move {
            let _changing = changing;
            change(registry).await
        });
        changed.await.inspect_err(|error| tracing::error!(%error, "a change of what is served failed")).ok()
    }

    /// The handler of this name, if it is this very component.
    fn serving(&self, name: &HandlerName, digest: &Digest) -> Option<Arc<Handler>> {
        self.catalogue.load().handler(name).filter(|served| served.digest == *digest).cloned()
    }

    /// Serves what was uploaded as the newest revision of its name.
    async fn serve(&self, fresh: Fresh) -> Result<(Arc<Handler>, Uploaded), UploadError> {
        let Fresh { name, digest, wasm, compiled, program, description } = fresh;
        if let Some(same) = self.serving(&name, &digest) {
            return Ok((same, Uploaded::Unchanged));
        }
        let newest = self.revisions(&name).await?.first().map_or(0, |newest| newest.revision);
        let now = SystemTime::now();
        let entry =
            Entry { name, revision: newest + 1, digest, size: wasm.len(), uploaded_at: now, needed_until: None };
        let handler = self.make(&entry, program, description).await?;
        let until = self.retention.from(now);
        let before = self.catalogue.load_full();
        let catalogue = before.with(Arc::clone(&handler), |replaced| Pinned::new(replaced, until))?;
        self.store.put(&entry, &wasm, until).await?;
        self.cache.put(&entry.digest, &compiled);
        self.swap(catalogue);
        self.store.prune(self.retention.keep, now).await?;
        self.cache.retain(&self.store.digests().await?);
        let is_new = before.handler(&entry.name).is_none();
        Ok((handler, if is_new { Uploaded::Created } else { Uploaded::Replaced }))
    }

    /// Serves another catalogue, and says so to those who listen.
    fn swap(&self, catalogue: Catalogue) {
        let catalogue = Arc::new(catalogue);
        let before = self.catalogue.swap(Arc::clone(&catalogue));
        for change in changes::between(&before, &catalogue) {
            self.hub.announce(&change);
        }
    }

    /// Makes a handler of what the store holds.
    async fn take_up(&self, entry: &Entry) -> Result<Arc<Handler>, UploadError> {
        let program = if let Some(program) = self.cache.get(&entry.digest, &self.sandbox) {
            program
        } else {
            let (compiled, program) = self.compile(&entry.name, &self.store.wasm(&entry.digest).await?).await?;
            self.cache.put(&entry.digest, &compiled);
            program
        };
        let description = self.describe(&entry.name, &program).await?;
        self.make(entry, program, description).await
    }

    /// Compiles in a process of its own, and takes up the code off the threads that serve requests.
    async fn compile(&self, name: &HandlerName, wasm: &[u8]) -> Result<(Vec<u8>, Program), UploadError> {
        let capacity = Capacity::of(&self.sandbox.tenant(name.as_ref()).limits);
        let compiled = self.compiler.compile(wasm, capacity).await?;
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

    async fn describe(&self, name: &HandlerName, program: &Program) -> Result<Description, UploadError> {
        let call = Call {
            tenant: self.sandbox.tenant(name.as_ref()),
            target: String::new(),
            principal: None,
            progress: None,
            announcements: None,
        };
        Ok(self.sandbox.describe(program, call).await?)
    }

    /// Makes a handler, and compiles its schemas off the threads that serve requests.
    async fn make(
        &self,
        entry: &Entry,
        program: Program,
        description: Description,
    ) -> Result<Arc<Handler>, UploadError> {
        let tenant = self.sandbox.tenant(entry.name.as_ref());
        let entry = entry.clone();
        let making = tokio::task::spawn_blocking(move || Handler::new(&entry, program, description, tenant));
        match making.await {
            Ok(handler) => Ok(Arc::new(handler?)),
            Err(error) => {
                tracing::error!(%error, "the compiler of schemas failed");
                Err(UploadError::Compiler)
            }
        }
    }
}

/// What was uploaded, found good, and is not served yet.
struct Fresh {
    name: HandlerName,
    digest: Digest,
    wasm: Vec<u8>,
    compiled: Vec<u8>,
    program: Program,
    description: Description,
}

fn left_out(name: &HandlerName, revision: i64, error: &dyn std::fmt::Display) {
    tracing::error!(handler = %name, revision, %error, "this handler can't be served; upload it again or remove it");
}
