# Drives headless chromium over its DevTools protocol. Needs chromium and the packages processx and jsonlite.
# nolint start: commented_code_linter.
#   source("headless_browser.R")
#   browser <- open_browser(width = 1280, height = 900)
#   visit(browser, "page.html"); evaluate(browser, "document.title"); screenshot(browser, "page.png")
#   close_browser(browser)
# nolint end
# A browser is an environment with the process, the session, the id of the last message, and all events so far.

chromium_program <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))
  unname(found[nzchar(found)][1])
}

# Chromium reads messages from file 3 and writes to file 4, each ended by a zero byte, which R's strings cannot hold:
# tr turns zero bytes into newlines, and newlines do not occur within JSON.
open_browser <- function(width = 1280, height = 900, program = chromium_program()) {
  if (is.na(program)) stop("chromium is not installed", call. = FALSE)
  profile <- tempfile("browser")
  dir.create(profile)
  flags <- c(
    "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    # Machines without a graphics card draw WebGL by software.
    "--enable-unsafe-swiftshader", "--hide-scrollbars", paste0("--user-data-dir=", profile), "about:blank"
  )
  script <- paste(
    "stdbuf -o0 tr '\\n' '\\000' |",
    "\"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1 |",
    "stdbuf -o0 tr '\\000' '\\n'"
  )
  browser <- new.env()
  browser$profile <- profile
  browser$process <- processx::process$new("sh", c("-c", script, program, flags), stdin = "|", stdout = "|",
                                           cleanup_tree = TRUE)
  browser$last_id <- 0L
  browser$events <- list()
  attach_page(browser)
  set_size(browser, width, height)
  browser
}

attach_page <- function(browser) {
  pages <- Filter(function(target) target$type == "page", send(browser, "Target.getTargets")$targetInfos)
  attached <- send(browser, "Target.attachToTarget", list(targetId = pages[[1]]$targetId, flatten = TRUE))
  browser$session <- attached$sessionId
  for (domain in c("Page", "Runtime", "Network", "Log")) send(browser, paste0(domain, ".enable"))
}

close_browser <- function(browser) {
  try(send(browser, "Browser.close", seconds = 5), silent = TRUE)
  close(browser$process$get_input_connection())
  browser$process$wait(5000)
  browser$process$kill_tree()
  unlink(browser$profile, recursive = TRUE)
}

# Sends one command and returns its result. Events that arrive meanwhile are kept in browser$events.
send <- function(browser, method, params = NULL, seconds = 60) {
  browser$last_id <- browser$last_id + 1L
  id <- browser$last_id
  message <- list(id = id, method = method)
  if (length(params) > 0) message$params <- params
  if (!is.null(browser$session)) message$sessionId <- browser$session
  write_line(browser$process, jsonlite::toJSON(message, auto_unbox = TRUE, digits = NA))
  deadline <- Sys.time() + seconds
  repeat {
    reply <- next_message(browser, deadline)
    if (is.null(reply)) stop("no answer to ", method, " within ", seconds, " seconds", call. = FALSE)
    if (identical(reply$id, id)) break
    if (!is.null(reply$method)) browser$events <- c(browser$events, list(reply))
  }
  if (!is.null(reply$error)) stop(method, ": ", reply$error$message, call. = FALSE)
  reply$result
}

write_line <- function(process, text) {
  rest <- process$write_input(paste0(text, "\n"))
  while (length(rest) > 0) {
    Sys.sleep(0.01)
    rest <- process$write_input(rest)
  }
}

next_message <- function(browser, deadline) {
  repeat {
    line <- browser$process$read_output_lines(n = 1)
    if (length(line) > 0 && nzchar(line[1])) return(jsonlite::fromJSON(line[1], simplifyVector = FALSE))
    left <- as.numeric(deadline - Sys.time(), units = "secs")
    if (left <= 0 || !browser$process$is_alive()) return(NULL)
    browser$process$poll_io(ceiling(1000 * min(left, 1)))
  }
}

set_size <- function(browser, width, height, mobile = FALSE, ratio = 1) {
  size <- list(width = width, height = height, deviceScaleFactor = ratio, mobile = mobile)
  invisible(send(browser, "Emulation.setDeviceMetricsOverride", size))
}

# Opens a file or an address and waits until it is loaded.
visit <- function(browser, page, seconds = 60) {
  address <- if (file.exists(page)) paste0("file://", utils::URLencode(normalizePath(page))) else page
  browser$events <- list()
  reply <- send(browser, "Page.navigate", list(url = address), seconds = seconds)
  if (!is.null(reply$errorText)) stop("cannot open ", address, ": ", reply$errorText, call. = FALSE)
  wait_until(browser, "document.readyState === 'complete'", seconds)
  invisible(browser)
}

# The value of a JavaScript expression; promises are waited for.
evaluate <- function(browser, expression, seconds = 60) {
  reply <- send(browser, "Runtime.evaluate", list(
    expression = expression, returnByValue = TRUE, awaitPromise = TRUE
  ), seconds = seconds)
  if (!is.null(reply$exceptionDetails)) {
    stop(expression, ": ", reply$exceptionDetails$exception$description, call. = FALSE)
  }
  reply$result$value
}

wait_until <- function(browser, condition, seconds = 60) {
  deadline <- Sys.time() + seconds
  while (!isTRUE(evaluate(browser, condition))) {
    if (Sys.time() > deadline) stop("not true after ", seconds, " seconds: ", condition, call. = FALSE)
    Sys.sleep(0.05)
  }
  invisible(TRUE)
}

# A real click at a point of the window, in pixels.
click <- function(browser, x, y) {
  at <- list(x = x, y = y, button = "left", clickCount = 1)
  send(browser, "Input.dispatchMouseEvent", c(list(type = "mouseMoved"), at[c("x", "y")]))
  send(browser, "Input.dispatchMouseEvent", c(list(type = "mousePressed"), at))
  invisible(send(browser, "Input.dispatchMouseEvent", c(list(type = "mouseReleased"), at)))
}

# The middle of an element, scrolled into view: c(x, y).
centre_of <- function(browser, selector) {
  unlist(evaluate(browser, sprintf(
    "(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});
       const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()",
    jsonlite::toJSON(selector, auto_unbox = TRUE)
  )))
}

# Sets the value of a slider or a menu, as a user would.
set_value <- function(browser, selector, value) {
  invisible(evaluate(browser, sprintf(
    "{ const e = document.querySelector(%s); e.value = %s;
       for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true})); }",
    jsonlite::toJSON(selector, auto_unbox = TRUE), jsonlite::toJSON(value, auto_unbox = TRUE)
  )))
}

# Presses a key without a character, such as "ArrowRight" (code 39) or "Enter" (13).
press <- function(browser, key, code) {
  keys <- list(key = key, code = key, windowsVirtualKeyCode = code)
  if (key == "Enter") keys$text <- "\r"
  send(browser, "Input.dispatchKeyEvent", c(list(type = "keyDown"), keys))
  invisible(send(browser, "Input.dispatchKeyEvent", c(list(type = "keyUp"), keys[c("key", "code")])))
}

# Types text into the element that has the focus, one character after the other.
type_text <- function(browser, text) {
  for (character in strsplit(text, "")[[1]]) send(browser, "Input.insertText", list(text = character))
}

screenshot <- function(browser, file, whole = FALSE) {
  shot <- send(browser, "Page.captureScreenshot", list(format = "png", captureBeyondViewport = whole))
  writeBin(jsonlite::base64_dec(shot$data), file)
  invisible(file)
}

events_of <- function(browser, method) Filter(function(event) event$method == method, browser$events)

# Errors of the page so far: uncaught exceptions, console.error() and the browser's own, such as failed requests.
page_errors <- function(browser) {
  thrown <- lapply(events_of(browser, "Runtime.exceptionThrown"), function(event) {
    event$params$exceptionDetails$exception$description
  })
  logged <- Filter(function(event) event$params$type %in% c("error", "assert"),
                   events_of(browser, "Runtime.consoleAPICalled"))
  logged <- lapply(logged, function(event) event$params$args[[1]]$value)
  noted <- Filter(function(event) event$params$entry$level == "error", events_of(browser, "Log.entryAdded"))
  noted <- lapply(noted, function(event) event$params$entry$text)
  as.character(unlist(c(thrown, logged, noted)))
}

# Addresses the page asked for, itself included.
requested <- function(browser) {
  vapply(events_of(browser, "Network.requestWillBeSent"), function(event) event$params$request$url, "")
}
