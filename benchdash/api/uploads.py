"""`/api/v1/uploads/`: files in, one outcome each out."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.authentication import person_of
from benchdash.api.bodies import TextJSONParser
from benchdash.api.outcomes import (
    OutcomeSerializer,
    OutcomesSerializer,
    UnreadableSerializer,
    UploadSerializer,
    outcome_as_json,
)
from benchdash.api.problems import ProblemSerializer, TooLarge, problem
from benchdash.errors import Refused
from benchdash.results.models import Upload
from benchdash.results.naming import asked_by_name
from benchdash.results.outcomes import Outcome, outcomes_of
from benchdash.results.readings import File
from benchdash.results.reassignment import reassign
from benchdash.results.waiting import receive
from benchdash.upload_limit import is_too_large


class BelongsSerializer(serializers.Serializer[Any]):
    """Where runs belong, by name; `run` is the one that fio's bare logs hang on."""

    configuration = serializers.CharField(required=False, allow_blank=True)
    environment = serializers.CharField(required=False, allow_blank=True)
    study = serializers.CharField(required=False, allow_blank=True)
    run = serializers.IntegerField(required=False, allow_null=True)


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
    started_at = serializers.DateTimeField(required=False, help_text="UTC where no zone is said.")


_FORM = UploadFormSerializer()  # building its fields takes longer than what they are for


class Uploads(APIView):
    """One door for scripts and for the upload page."""

    writes = Role.CONTRIBUTOR
    parser_classes = (MultiPartParser,)

    def perform_content_negotiation(
        self, request: Request, force: bool = False
    ) -> tuple[BaseRenderer, str]:
        """JSON, whatever is asked for: no file is turned away for its Accept header."""
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
        check_size(request)
        said = _FORM.run_validation(request.data)
        files = _files(said.pop("file"), said.pop("path", []))
        outcomes = receive(files, asked_by_name(**said), person_of(request))
        if len(files) == 1 and not _is_archive(outcomes):
            return _answer(outcomes[0])
        return Response({"outcomes": [outcome_as_json(outcome) for outcome in outcomes]})


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
        responses={200: UploadSerializer, 422: UnreadableSerializer},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Assign the runs anew; with nothing said, as was asked when the file came.

        A refused log is read again when `run` says which run it hangs on.
        """
        form = BelongsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        upload = _upload(pk)
        reassign(upload, asked_by_name(**form.validated_data))
        if upload.outcome == Upload.Outcome.REFUSED:
            return _answer(outcomes_of([upload])[0])
        return Response(_upload_as_json(_upload(pk)))


def check_size(request: Request) -> None:
    """413 where more is sent than MAX_UPLOAD_BYTES: the length is told in advance (bridge.py)."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    if is_too_large(length):
        raise TooLarge(
            f"The request has {length} bytes, and {settings.MAX_UPLOAD_BYTES} are the most"
            " (MAX_UPLOAD_BYTES): send fewer files at once, or compress them."
        )


def _files(sent: list[UploadedFile[bytes]], paths: list[str]) -> list[File]:
    names = paths or [each.name or "" for each in sent]
    if len(names) != len(sent):
        raise Refused(f"{len(sent)} files came with {len(paths)} paths: send one for each.", "path")
    return [File(name, each.read()) for name, each in zip(names, sent, strict=True)]


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
