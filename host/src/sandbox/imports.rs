//! The contract's imports.

use dacapo_replay::Stop;
use dacapo_replay::question::BadQuestion;
use dacapo_replay::walk::OnceError;
use wasmtime::component::{HasSelf, Linker};

use super::attempt::Progress;
use super::bindings::dacapo::handler::{announcements, context, elicitation, inputs, once, progress};
use super::convert;
use super::guest::Guest;
use super::limits::Limit;
use crate::announce::Announcement;

pub(super) fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    elicitation::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    progress::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    once::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    context::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    inputs::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    announcements::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)
}

impl elicitation::Host for Guest {
    // An error ends the guest at once, and no code of its runs any more: this is how a run is suspended.
    fn elicit(&mut self, question: elicitation::KeyedQuestion) -> wasmtime::Result<elicitation::Reply> {
        let input = self.walk.ask(convert::input::asked(question))?;
        // A question's input is a reply: its kind stands in the ledger beside it.
        convert::input::reply(input).ok_or_else(|| wasmtime::format_err!("a question has no reply"))
    }

    fn elicit_all(&mut self, questions: Vec<elicitation::KeyedQuestion>) -> wasmtime::Result<Vec<elicitation::Reply>> {
        let inputs = self.walk.ask_all(questions.into_iter().map(convert::input::asked).collect())?;
        Ok(inputs.into_iter().filter_map(convert::input::reply).collect())
    }
}

impl inputs::Host for Guest {
    fn request_inputs(&mut self, requests: Vec<inputs::KeyedRequest>) -> wasmtime::Result<Vec<inputs::InputResponse>> {
        let asked: Result<_, BadQuestion> = requests.into_iter().map(convert::input::any_asked).collect();
        let inputs = self.walk.ask_all(asked.map_err(Stop::from)?)?;
        Ok(inputs.into_iter().map(convert::input::response).collect())
    }
}

impl progress::Host for Guest {
    async fn report(
        &mut self,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) -> wasmtime::Result<Result<(), progress::ProgressError>> {
        if !progress.is_finite() || total.is_some_and(|total| !total.is_finite()) {
            return Ok(Err(progress::ProgressError::NotFinite));
        }
        if let Some(last) = self.progress.filter(|last| progress <= *last) {
            return Ok(Err(progress::ProgressError::NotIncreasing(last)));
        }
        let limit = self.call.tenant.limits.number(Limit::ProgressMessage);
        if message.as_ref().is_some_and(|message| message.len() > limit) {
            return Ok(Err(progress::ProgressError::MessageTooLong(saturated(limit))));
        }
        self.progress = Some(progress);
        if let Some(sink) = &self.call.progress {
            // Waits for a slow client, at the guest's cost alone; one that is gone wants no more.
            let _gone = sink.send(Progress { progress, total, message }).await;
        }
        Ok(Ok(()))
    }
}

impl announcements::Host for Guest {
    fn resource_updated(&mut self, uri: String) -> wasmtime::Result<()> {
        self.announce(&Announcement::ResourceUpdated(uri.into()));
        Ok(())
    }

    fn list_changed(&mut self, kind: announcements::ListKind) -> wasmtime::Result<()> {
        self.announce(&match kind {
            announcements::ListKind::Tools => Announcement::ToolsListChanged,
            announcements::ListKind::Prompts => Announcement::PromptsListChanged,
            announcements::ListKind::Resources => Announcement::ResourcesListChanged,
        });
        Ok(())
    }
}

impl Guest {
    fn announce(&self, announcement: &Announcement) {
        if let Some(hub) = &self.call.announcements {
            hub.announce(announcement);
        }
    }
}

impl once::Host for Guest {
    fn recall(&mut self, name: String) -> wasmtime::Result<Option<String>> {
        Ok(self.walk.recall(&name).map(str::to_owned))
    }

    fn remember(&mut self, name: String, value: String) -> wasmtime::Result<Result<(), once::OnceError>> {
        Ok(self.walk.remember(name, value).map_err(|error| match error {
            OnceError::AlreadyKept => once::OnceError::AlreadyKept,
            OnceError::TooLarge(limit) => once::OnceError::TooLarge(saturated(limit)),
            OnceError::TooMany(limit) => once::OnceError::TooMany(saturated(limit)),
            OnceError::NotJson => once::OnceError::NotJson,
        }))
    }
}

impl context::Host for Guest {
    fn target(&mut self) -> wasmtime::Result<String> {
        Ok(self.call.target.clone())
    }

    fn protocol_version(&mut self) -> wasmtime::Result<String> {
        Ok(self.walk.ledger().opening.protocol_version.clone())
    }

    fn principal(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(self.call.principal.as_deref().map(str::to_owned))
    }

    fn askable(&mut self) -> wasmtime::Result<context::QuestionKinds> {
        let askable = self.walk.ledger().opening.askable;
        let kind = |taken, kind| if taken { kind } else { context::QuestionKinds::empty() };
        Ok(kind(askable.form, context::QuestionKinds::FORM) | kind(askable.url, context::QuestionKinds::URL))
    }
}

fn saturated(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
