class ItemsController < ApplicationController
  def show
    @title = "<b>#{ERB::Util.h(params[:title])}</b>".html_safe
    @text = sanitize(params[:text]).html_safe
  end
end
