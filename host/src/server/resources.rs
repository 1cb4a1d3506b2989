//! `resources/list`, `resources/templates/list` and `resources/read`.

use serde::Serialize;
use serde_json::value::RawValue;

use super::conversation::Conversation;
use super::lists::List;
use super::{Caller, Server};
use crate::protocol::error::RpcError;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::params::{CallParams, Params};
use crate::protocol::resource::ReadResourceResult;
use crate::protocol::result::{CacheScope, Caching};
use crate::registry::catalogue::Catalogue;
use crate::sandbox::entry::resource::ReadResource;

impl Server {
    pub(super) fn list_resources(&self, params: &Params) -> Result<Box<RawValue>, RpcError> {
        let start = List::Resources.start(params)?;
        self.page(&start, self.registry.catalogue().resources(start.after()))
    }

    pub(super) fn list_templates(&self, params: &Params) -> Result<Box<RawValue>, RpcError> {
        let start = List::ResourceTemplates.start(params)?;
        self.page(&start, self.registry.catalogue().templates(start.after()))
    }

    pub(super) async fn read_resource(
        &self,
        params: Params,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Box<RawValue>, RpcError> {
        #[derive(Serialize)]
        struct Body {
            #[serde(flatten)]
            result: ReadResourceResult,
            #[serde(flatten)]
            caching: Caching,
        }
        let params = CallParams::read(params)?;
        let uri = params.original.text("uri")?;
        let find =
            |catalogue: &Catalogue| catalogue.resource(&uri).cloned().ok_or_else(|| RpcError::resource_not_found(&uri));
        let (conversation, opened) =
            Conversation::open(self, Method::ResourcesRead, &params, &uri, caller, meta, find)?;
        // What hangs on a user's answer is no one else's, and no one's later.
        let caching =
            if opened.is_retry { Caching { ttl_ms: 0, cache_scope: CacheScope::Private } } else { self.reads };
        let entry = ReadResource { uri: &uri };
        let outcome = conversation.outcome(conversation.run(opened, entry, meta, caller).await?).await?;
        conversation.write(outcome, |mut result| {
            let meta = result.meta.take();
            (Body { result, caching }, meta)
        })
    }
}
