package com.shop.helpers;

import javax.servlet.http.HttpServletRequest;

public class RequestReader {
    private HttpServletRequest request;

    public RequestReader(HttpServletRequest request) {
        this.request = request;
    }

    public String read(String name) {
        return request.getParameter(name);
    }

    public String fixed(String name) {
        return "bar";
    }
}
