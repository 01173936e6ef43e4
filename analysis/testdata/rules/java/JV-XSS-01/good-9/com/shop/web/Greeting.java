package com.shop.web;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

public class Greeting extends HttpServlet {
    @Override
    public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        com.shop.helpers.RequestReader reader = new com.shop.helpers.RequestReader(request);
        response.setContentType("text/html");
        response.getWriter().println("<p>" + reader.fixed("name") + "</p>");
    }
}
