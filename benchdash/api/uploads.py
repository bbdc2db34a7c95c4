"""`/api/v1/uploads/`: files in, one outcome each out; docs/api.md explains each member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.access import person_of
from benchdash.api.fields import SettingsField, address_of
from benchdash.api.problems import ProblemSerializer, problem
from benchdash.api.requests import TextJSONParser, refuse_unknown, validated
from benchdash.api.run_json import BriefRunSerializer, brief_run_as_json
from benchdash.api.runs import ChangedSerializer
from benchdash.errors import Refused
from benchdash.results import uploads as stored_uploads
from benchdash.results.assignment import Assignment, assignment_by_name
from benchdash.results.ids import LARGEST_ID
from benchdash.results.language import in_language
from benchdash.results.models import Upload
from benchdash.results.outcomes import Outcome, comparison_of, outcomes_of
from benchdash.results.readings import File
from benchdash.results.uploads import reassign, receive


class RecognisedSerializer(serializers.Serializer[Any]):
    """A tool that was found in the file, and how many results of it."""

    tool = serializers.CharField()
    tool_version = serializers.CharField()
    format = serializers.CharField()
    results = serializers.IntegerField()


class AsideSerializer(serializers.Serializer[Upload]):
    """Who put a refused file aside, when, and why if a reason was given."""

    at = serializers.DateTimeField(source="put_aside_at")
    by = serializers.CharField(source="put_aside_by.username", default=None, allow_null=True)
    reason = serializers.CharField(source="put_aside_reason")


class OutcomeSerializer(serializers.Serializer[Any]):
    """One file, or one member of an archive: what `outcome_as_json` gives."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    name = serializers.CharField()
    archive = serializers.CharField()
    sha256 = serializers.CharField()
    outcome = serializers.ChoiceField(choices=Upload.Outcome.choices)
    sentence = serializers.CharField()
    recognised = RecognisedSerializer(many=True)
    runs = BriefRunSerializer(many=True)
    differs = serializers.ListField(child=serializers.CharField())
    put_aside = AsideSerializer(allow_null=True)
    compare = serializers.CharField(
        allow_null=True, help_text="The page that compares its runs; null where it was refused."
    )


_ASIDE = AsideSerializer()


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """By hand: serializers walk through their fields for a twentieth of the time of an upload."""
    upload = outcome.upload
    return {
        "id": upload.pk,
        "url": address_of("api:upload", upload.pk),
        "name": upload.name,
        "archive": upload.archive.name if upload.archive else "",
        "sha256": outcome.sha256,
        "outcome": upload.outcome,
        "sentence": in_language(outcome.sentence),
        "recognised": [each._asdict() for each in outcome.recognised],
        "runs": [brief_run_as_json(run) for run in outcome.runs],
        "differs": outcome.differs,
        "put_aside": _ASIDE.to_representation(upload) if upload.put_aside_at else None,
        "compare": _compare_page([upload]),
    }


def _compare_page(uploads: Iterable[Upload]) -> str | None:
    query = comparison_of(uploads)
    return f"{reverse('compare')}?{query}" if query else None


class UploadSerializer(OutcomeSerializer):
    """One upload as it stands now; an archive has the outcomes of its members."""

    members = OutcomeSerializer(many=True)


class OutcomesSerializer(serializers.Serializer[Any]):
    """Several files, or an archive."""

    outcomes = OutcomeSerializer(many=True)
    compare = serializers.CharField(
        allow_null=True,
        help_text="The page that compares the runs of all of them; null where all were refused.",
    )


class UnreadableSerializer(ProblemSerializer, OutcomeSerializer):
    """A problem document that is an outcome too: the bytes are kept."""


class BelongsSerializer(serializers.Serializer[Any]):
    """Where runs belong, by name; `run` is the one that fio's bare logs hang on."""

    configuration = serializers.CharField(required=False, allow_blank=True)
    environment = serializers.CharField(required=False, allow_blank=True)
    study = serializers.CharField(required=False, allow_blank=True)
    run = serializers.IntegerField(required=False, allow_null=True)
    setting = SettingsField(
        required=False, help_text="What else was set: `setting.guests=4` in a form."
    )


class UploadFormSerializer(BelongsSerializer):
    """What is sent: every text may be left out."""

    file = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        allow_empty=False,
        help_text="One or several files; archives (zip, tar, gz, xz, bz2, zst) too.",
    )
    path = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="Where each file lay, in the same order: a log needs the result beside it.",
    )
    label = serializers.CharField(  # type: ignore[assignment]  # DRF takes fields off the class
        required=False, allow_blank=True, max_length=300
    )
    started_at = serializers.DateTimeField(required=False, help_text="UTC where no zone is given.")


_FORM = UploadFormSerializer()  # building its fields takes longer than what they are for


class Uploads(APIView):
    """One door for scripts and for the upload page."""

    writes = Role.CONTRIBUTOR
    parser_classes = (MultiPartParser,)

    def perform_content_negotiation(
        self, request: Request, force: bool = False
    ) -> tuple[BaseRenderer, str]:
        """JSON, whatever is requested: no file is turned away for its Accept header."""
        return JSONRenderer(), JSONRenderer.media_type

    @extend_schema(
        operation_id="uploads_create",
        request={"multipart/form-data": UploadFormSerializer},
        responses={
            201: OpenApiResponse(OutcomeSerializer, "One file: its runs are stored."),
            200: OpenApiResponse(OutcomesSerializer, "Several files or an archive."),
            202: OpenApiResponse(OutcomeSerializer, "Too large to read at once: see Location."),
            413: OpenApiResponse(ProblemSerializer, "Larger than MAX_UPLOAD_BYTES."),
            422: OpenApiResponse(UnreadableSerializer, "Not readable; the bytes are kept."),
        },
    )
    def post(self, request: Request) -> Response:
        """Store result files. The content is the key: the same bytes are stored once."""
        refuse_unknown(_FORM, request.data)
        data = _FORM.run_validation(request.data)
        sent = data.pop("file")
        files = _files(sent, data.pop("path", []))
        outcomes = receive(files, _assignment(data), person_of(request))
        if len(sent) == 1 and not _is_archive(outcomes):
            return _answer(outcomes[0])
        return Response(
            {
                "outcomes": [outcome_as_json(outcome) for outcome in outcomes],
                "compare": _compare_page(outcome.upload for outcome in outcomes),
            }
        )


class OneUpload(APIView):
    """What became of one file."""

    reads = Role.VIEWER
    parser_classes = (TextJSONParser, FormParser, MultiPartParser)

    @extend_schema(operation_id="uploads_retrieve", responses=UploadSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The outcome as it stands now; of an archive also those of its members."""
        return Response(_upload_as_json(_upload(pk)))

    @extend_schema(
        operation_id="uploads_reassign",
        request=BelongsSerializer,
        responses={
            200: UploadSerializer,
            202: OpenApiResponse(OutcomeSerializer, "Too large to read at once: see Location."),
            422: UnreadableSerializer,
        },
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Assign the runs anew; with nothing given, as when the file came.

        A refused log is read again when `run` names the run that it belongs to.
        """
        data = validated(BelongsSerializer, request.data)
        upload = _upload(pk)
        reassign(upload, _assignment(data))
        if upload.outcome in (Upload.Outcome.REFUSED, Upload.Outcome.WAITING):
            return _answer(outcomes_of([upload])[0])
        return Response(_upload_as_json(_upload(pk)))


def _assignment(data: dict[str, Any]) -> Assignment:
    return assignment_by_name(settings=data.pop("setting", {}), **data)


def _files(sent: list[UploadedFile[bytes]], paths: list[str]) -> Iterator[File]:
    names = paths or [each.name or "" for each in sent]
    if len(names) != len(sent):
        raise Refused(
            "{files} files came with {paths} paths: send one path for each file.",
            "path",
            files=len(sent),
            paths=len(paths),
        )
    return (File(name, each.read()) for name, each in zip(names, sent, strict=True))


def _is_archive(outcomes: list[Outcome]) -> bool:
    return len(outcomes) > 1 or outcomes[0].upload.archive_id is not None


_STATUS = {Upload.Outcome.STORED: 201, Upload.Outcome.KNOWN: 200, Upload.Outcome.WAITING: 202}


def _answer(outcome: Outcome) -> Response:
    """The answer to a single file."""
    body = outcome_as_json(outcome)
    if outcome.upload.outcome == Upload.Outcome.REFUSED:
        return problem(422, f"{outcome.upload.name}: {body['sentence']}", **body)
    status = _STATUS[Upload.Outcome(outcome.upload.outcome)]
    return Response(body, status=status, headers={"Location": body["url"]} if status == 202 else {})


def _upload(pk: int) -> Upload:
    uploads = Upload.objects.select_related("artifact", "archive", "put_aside_by")
    return get_object_or_404(uploads, pk=pk)


def _upload_as_json(upload: Upload) -> dict[str, Any]:
    members = list(
        upload.members.select_related("artifact", "archive", "put_aside_by").order_by("pk")
    )
    outcome, *inner = outcomes_of([upload, *members])
    return outcome_as_json(outcome) | {"members": [outcome_as_json(each) for each in inner]}


class ChosenUploadsSerializer(serializers.Serializer[Any]):
    """The uploads that are meant, by id; those that were not refused are passed over."""

    uploads = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_ID),
        allow_empty=False,
        max_length=1000,
    )


class PutAsideSerializer(ChosenUploadsSerializer):
    """Why they may be passed over; it may be left out."""

    reason = serializers.CharField(
        max_length=stored_uploads.LONGEST_REASON, allow_blank=True, default=""
    )


@extend_schema(
    operation_id="uploads_put_aside", request=PutAsideSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def put_aside(request: Request) -> Response:
    """Ask for no attention to refused files any more; their bytes stay."""
    data = validated(PutAsideSerializer, request.data)
    return Response({"changed": stored_uploads.put_aside(**data, by=person_of(request))})


@extend_schema(
    operation_id="uploads_take_back", request=ChosenUploadsSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def take_back(request: Request) -> Response:
    """Ask for attention to them again."""
    data = validated(ChosenUploadsSerializer, request.data)
    return Response({"changed": stored_uploads.take_back(data["uploads"])})
