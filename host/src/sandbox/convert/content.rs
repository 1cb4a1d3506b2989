//! Content blocks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{Malformed, meta};
use crate::protocol::content::{
    Annotations, ContentBlock, Extras, Icon, Media, ResourceBody, ResourceContents, Role, Theme,
};
use crate::protocol::resource::{About, Resource};
use crate::sandbox::bindings::dacapo::handler::content as wit;

pub(super) fn block(block: wit::ContentBlock) -> Result<ContentBlock, Malformed> {
    Ok(match block {
        wit::ContentBlock::Text(text) => {
            ContentBlock::Text { text: text.text, extras: extras(text.annotations, text.meta)? }
        }
        wit::ContentBlock::Image(image) => ContentBlock::Image(media(image)?),
        wit::ContentBlock::Audio(audio) => ContentBlock::Audio(media(audio)?),
        wit::ContentBlock::ResourceLink(link) => ContentBlock::ResourceLink(Resource {
            uri: link.uri,
            about: About {
                name: link.name,
                title: link.title,
                description: link.description,
                mime_type: link.mime_type,
                annotations: link.annotations.map(annotations),
                icons: link.icons.into_iter().map(icon).collect(),
                meta: meta(link.meta)?,
            },
            size: link.size,
        }),
        wit::ContentBlock::EmbeddedResource(embedded) => ContentBlock::Resource {
            resource: resource_contents(embedded.contents)?,
            extras: extras(embedded.annotations, embedded.meta)?,
        },
    })
}

fn media(media: wit::MediaContent) -> Result<Media, Malformed> {
    Ok(Media {
        data: BASE64.encode(media.data),
        mime_type: media.mime_type,
        extras: extras(media.annotations, media.meta)?,
    })
}

fn extras(annotations: Option<wit::Annotations>, block_meta: Option<String>) -> Result<Extras, Malformed> {
    Ok(Extras { annotations: annotations.map(self::annotations), meta: meta(block_meta)? })
}

pub(super) fn resource_contents(contents: wit::ResourceContents) -> Result<ResourceContents, Malformed> {
    Ok(ResourceContents {
        uri: contents.uri,
        mime_type: contents.mime_type,
        body: match contents.body {
            wit::ResourceBody::Text(text) => ResourceBody::Text(text),
            wit::ResourceBody::Blob(bytes) => ResourceBody::Blob(BASE64.encode(bytes)),
        },
        meta: meta(contents.meta)?,
    })
}

pub(super) fn annotations(hints: wit::Annotations) -> Annotations {
    Annotations {
        audience: hints.audience.into_iter().map(role).collect(),
        priority: hints.priority,
        last_modified: hints.last_modified,
    }
}

pub(super) fn role(role: wit::Role) -> Role {
    match role {
        wit::Role::User => Role::User,
        wit::Role::Assistant => Role::Assistant,
    }
}

pub(super) fn icon(icon: wit::Icon) -> Icon {
    Icon {
        src: icon.src,
        mime_type: icon.mime_type,
        sizes: icon.sizes,
        theme: icon.theme.map(|theme| match theme {
            wit::Theme::Light => Theme::Light,
            wit::Theme::Dark => Theme::Dark,
        }),
    }
}
