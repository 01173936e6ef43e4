void setUp(WebViewController controller) {
  controller.addJavaScriptChannel('App', onMessageReceived: (JavaScriptMessage message) {
    controller.runJavaScript('reply(${message.message})'); // ← here
  });
}
