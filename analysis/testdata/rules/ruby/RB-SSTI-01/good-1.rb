class ItemsController < ApplicationController
  def show
    render inline: "<h1><%= title %></h1>", locals: { title: params[:title] }
  end
end
