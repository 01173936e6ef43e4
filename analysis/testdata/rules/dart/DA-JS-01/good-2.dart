void start(WebViewController controller, String theme) {
  controller.runJavaScript('setTheme("dark")');
}
