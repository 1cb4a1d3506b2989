//! Resources: descriptors and results.

use dacapo_replay::Fault;

use super::{Malformed, content, meta, result_meta};
use crate::protocol::resource::{About, ReadResourceResult, Resource, ResourceTemplate};
use crate::sandbox::bindings::exports::dacapo::handler::resources;

pub(in crate::sandbox) fn resource(resource: resources::ResourceDescriptor) -> Result<Resource, Malformed> {
    Ok(Resource {
        uri: resource.uri,
        about: About {
            name: resource.name,
            title: resource.title,
            description: resource.description,
            mime_type: resource.mime_type,
            annotations: resource.annotations.map(content::annotations),
            icons: resource.icons.into_iter().map(content::icon).collect(),
            meta: meta(resource.meta)?,
        },
        size: resource.size,
    })
}

pub(in crate::sandbox) fn template(template: resources::ResourceTemplate) -> Result<ResourceTemplate, Malformed> {
    Ok(ResourceTemplate {
        uri_template: template.uri_template,
        about: About {
            name: template.name,
            title: template.title,
            description: template.description,
            mime_type: template.mime_type,
            annotations: template.annotations.map(content::annotations),
            icons: template.icons.into_iter().map(content::icon).collect(),
            meta: meta(template.meta)?,
        },
    })
}

pub(in crate::sandbox) fn read_result(result: resources::ReadResult) -> Result<ReadResourceResult, Malformed> {
    if result.contents.is_empty() {
        return Err(Fault::BadResult("it read a resource and returned no contents; expected at least one".to_owned()));
    }
    Ok(ReadResourceResult {
        contents: result.contents.into_iter().map(content::resource_contents).collect::<Result<_, _>>()?,
        meta: result_meta(result.meta)?,
    })
}
