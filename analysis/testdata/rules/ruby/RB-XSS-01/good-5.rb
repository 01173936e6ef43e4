class ItemsController < ApplicationController
  def show
    render html: "<p>#{params[:text]}</p>"
    render json: { text: params[:text] }
  end
end
