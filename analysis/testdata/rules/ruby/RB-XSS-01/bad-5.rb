class ItemsController < ApplicationController
  def show
    render html: "<p>#{params[:text]}</p>".html_safe # ← here
  end
end
