"use strict";

/** The title is a first heading and those of the nouns are third ones; all that is shown is in a landmark. */
const heading = () => ({
  wrapComponents: {
    info: (Info, { React }) => (props) =>
      React.createElement(
        "div",
        { role: "region", "aria-label": "benchdash" },
        React.createElement(Info, props),
        React.createElement("h2", { className: "calls" }, "Calls"),
      ),
  },
});

SwaggerUIBundle({
  url: "{{ schema_url|escapejs }}",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [heading],
  layout: "BaseLayout",
  // a link within the button of each call could not be reached
  deepLinking: false,
  requestInterceptor(request) {
    if (request.method && request.method !== "GET") {
      request.headers["{{ csrf_header_name }}"] = "{{ csrf_token }}";
    }
    return request;
  },
});
