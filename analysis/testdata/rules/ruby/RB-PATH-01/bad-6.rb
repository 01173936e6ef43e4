class ItemsController < ApplicationController
  def show
    render file: "/srv/pages/#{params[:page]}" # ← here
  end
end
