//! What survives a restart: an SQLite database in the data directory.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::Row as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqliteRow, SqliteSynchronous};

use super::handler::{BadName, Digest, HandlerName};

/// The database of uploaded components.
#[derive(Debug)]
pub struct Store(SqlitePool);

/// A revision of a handler in the store.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The handler's name.
    pub name: HandlerName,
    /// Counts the uploads under this name, from 1.
    pub revision: i64,
    /// Its component.
    pub digest: Digest,
    /// The component's size in bytes.
    pub size: usize,
    /// When it was uploaded.
    pub uploaded_at: SystemTime,
    /// Until when conversations may need it; none while it is served.
    pub needed_until: Option<SystemTime>,
}

/// A component's bytes out of the data directory of a host that may be running; nothing where it is not there. Nothing is
/// written.
///
/// # Errors
///
/// When there is no database of this version.
pub async fn component(data: &Path, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let options = SqliteConnectOptions::new().filename(data.join("handlers.sqlite")).read_only(true);
    let pool = SqlitePool::connect_with(options).await?;
    let query = sqlx::query_scalar("SELECT wasm FROM components WHERE digest = ?");
    Ok(query.bind(digest).fetch_optional(&pool).await?)
}

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The data directory can't be used.
    #[error("data directory {path}: {error}")]
    Directory {
        /// Which one.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The database can't be used.
    #[error("the handlers' database: {0}")]
    Database(#[from] sqlx::Error),
    /// The database is of another version.
    #[error("the handlers' database can't be brought to this version: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A name in the database is none.
    #[error("the handlers' database holds a bad name: {0}")]
    Name(#[from] BadName),
    /// The operating system has no randomness to give.
    #[error("no randomness for the key of the compiled cache: {0}")]
    NoRandomness(#[from] getrandom::Error),
}

impl Store {
    /// Opens the database in the directory `data`, and makes both if need be.
    pub(super) async fn open(data: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(data).map_err(|error| StoreError::Directory { path: data.to_owned(), error })?;
        let options = SqliteConnectOptions::new()
            .filename(data.join("handlers.sqlite"))
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5));
        let pool = SqlitePool::connect_with(options).await?;
        sqlx::migrate!().run(&pool).await?;
        Ok(Self(pool))
    }

    /// Every revision, by name, the newest first.
    pub(super) async fn entries(&self) -> Result<Vec<Entry>, StoreError> {
        sqlx::query(
            "SELECT name, revision, digest, length(wasm) AS size, uploaded_at, needed_until \
             FROM revisions JOIN components USING (digest) ORDER BY name, revision DESC",
        )
        .fetch_all(&self.0)
        .await?
        .iter()
        .map(entry)
        .collect()
    }

    /// The digests of all components.
    pub(super) async fn digests(&self) -> Result<HashSet<Digest>, StoreError> {
        let digests = sqlx::query_scalar("SELECT digest FROM components").fetch_all(&self.0).await?;
        Ok(digests.into_iter().map(Digest::known).collect())
    }

    /// A component's bytes.
    pub(super) async fn wasm(&self, digest: &Digest) -> Result<Vec<u8>, StoreError> {
        let query = sqlx::query_scalar("SELECT wasm FROM components WHERE digest = ?");
        Ok(query.bind(digest.as_ref()).fetch_one(&self.0).await?)
    }

    /// Keeps a new revision, which is served from now on; the one that was is needed until `retired_until`.
    pub(super) async fn put(&self, entry: &Entry, wasm: &[u8], retired_until: SystemTime) -> Result<(), StoreError> {
        let mut transaction = self.0.begin().await?;
        sqlx::query("INSERT INTO components (digest, wasm) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .bind(entry.digest.as_ref())
            .bind(wasm)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE revisions SET needed_until = ? WHERE name = ? AND needed_until IS NULL")
            .bind(millis(retired_until))
            .bind(entry.name.as_ref())
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO revisions (name, revision, digest, uploaded_at) VALUES (?, ?, ?, ?)")
            .bind(entry.name.as_ref())
            .bind(entry.revision)
            .bind(entry.digest.as_ref())
            .bind(millis(entry.uploaded_at))
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// Notes until when conversations may need a revision that is not served any more.
    pub(super) async fn prolong(&self, name: &HandlerName, revision: i64, until: SystemTime) -> Result<(), StoreError> {
        sqlx::query("UPDATE revisions SET needed_until = ? WHERE name = ? AND revision = ? AND needed_until < ?")
            .bind(millis(until))
            .bind(name.as_ref())
            .bind(revision)
            .bind(millis(until))
            .execute(&self.0)
            .await?;
        Ok(())
    }

    /// Removes a handler with all its revisions, and says whether there was one.
    pub(super) async fn remove(&self, name: &HandlerName) -> Result<bool, StoreError> {
        let mut transaction = self.0.begin().await?;
        let removed =
            sqlx::query("DELETE FROM revisions WHERE name = ?").bind(name.as_ref()).execute(&mut *transaction).await?;
        sqlx::query(UNUSED).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(removed.rows_affected() > 0)
    }

    /// Drops the revisions that no conversation needs at `now`, but for the newest `keep` of each handler that are not
    /// served.
    pub(super) async fn prune(&self, keep: usize, now: SystemTime) -> Result<(), StoreError> {
        let mut transaction = self.0.begin().await?;
        let pruned = sqlx::query(
            "DELETE FROM revisions WHERE needed_until < ? AND (\
                SELECT count(*) FROM revisions AS newer \
                WHERE newer.name = revisions.name AND newer.revision > revisions.revision\
             ) > ?",
        )
        .bind(millis(now))
        .bind(i64::try_from(keep).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await?;
        if pruned.rows_affected() > 0 {
            sqlx::query(UNUSED).execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Drops the components that no revision refers to.
const UNUSED: &str = "DELETE FROM components WHERE digest NOT IN (SELECT digest FROM revisions)";

/// Milliseconds since the Unix epoch.
fn millis(time: SystemTime) -> i64 {
    i64::try_from(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

fn time(millis: i64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(millis).unwrap_or_default())
}

fn entry(row: &SqliteRow) -> Result<Entry, StoreError> {
    let size: i64 = row.try_get("size")?;
    let needed_until: Option<i64> = row.try_get("needed_until")?;
    Ok(Entry {
        name: row.try_get::<&str, _>("name")?.parse()?,
        revision: row.try_get("revision")?,
        digest: Digest::known(row.try_get("digest")?),
        size: usize::try_from(size).unwrap_or_default(),
        uploaded_at: time(row.try_get("uploaded_at")?),
        needed_until: needed_until.map(time),
    })
}
